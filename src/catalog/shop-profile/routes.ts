// The name, logo, colour and languages of the shop, for its pages and mails.

import { Type } from 'typebox'
import type { Tx } from '../../base/database.ts'
import { publish } from '../../base/outbox.ts'
import { refuse } from '../../base/refusal.ts'
import { get, patch, type Route } from '../../http/route.ts'
import { type Language, languages } from '../../http/language.ts'
import { changes, integer, list, name, nullable, oneOf, text, named } from '../../http/schema.ts'
import { type IfMatch, requireVersion } from '../../http/version.ts'
import { loadShopProfile, lockShopProfile, saveShopProfile, type ShopProfile } from './store.ts'

const colour = text({
  max: 7,
  pattern: '^#[0-9a-f]{6}$',
  description: 'A colour that white text is readable on, as six lower-case hexadecimal digits.',
  examples: ['#0b6b63'],
})
const logoPath = text({
  max: 200,
  pattern: '^/pictures/uploads/(live|test)/[0-9a-f]{32}-(lg|md|sm)\\.webp$',
  description: 'A path of an uploaded picture.',
  examples: ['/pictures/uploads/test/0f3c5a7e9b1d2f4a6c8e0b2d4f6a8c0e-md.webp'],
})

const language = oneOf(languages)
const offeredLanguages = Type.Array(language, {
  minItems: 1,
  maxItems: languages.length,
  uniqueItems: true,
  description: 'The languages that the storefront and messages offer. Uzbek is in both scripts.',
  examples: [['ru', 'uz']],
})
const defaultLanguage = oneOf(languages, {
  description: 'One of `languages`: for buyers who prefer none of them.',
})

const reply = Type.Object({
  shop: named(
    'ShopProfile',
    Type.Object({
      name: nullable(Type.String({ examples: ['Chorsu'] })),
      logo_path: nullable(Type.String({ examples: ['/pictures/uploads/test/0f3c…-md.webp'] })),
      colour: nullable(Type.String({ examples: ['#0b6b63'] })),
      languages: list(language, languages.length),
      default_language: language,
      version: integer(0, Number.MAX_SAFE_INTEGER),
    }),
  ),
})
const view = (it: ShopProfile) => ({
  data: {
    shop: {
      name: it.name,
      logo_path: it.logoPath,
      colour: it.colour,
      languages: it.languages,
      default_language: it.defaultLanguage,
      version: it.version,
    },
  },
  version: it.version,
})

export const shopProfileRoutes: Route[] = [
  get('/v1/catalog/shop', {
    summary: 'Get the name, logo, colour and languages of the shop',
    description: 'Null values: the shop shows those of the platform.',
    scope: 'catalog:read',
    reply,
    invalidateOn: ['ShopProfileChanged'],
    run: async ({ read }) => view(await loadShopProfile(read)),
  }),
  patch('/v1/admin/shop', {
    summary: 'Change the name, logo, colour and languages of the shop',
    description:
      'The storefront and mails show them from then on. Null goes back to those of the platform. A buyer whose language is no longer offered gets pages and messages in the default language; the API itself answers in every language.',
    scope: 'admin:write',
    body: changes({
      name: nullable(name(60, 'Chorsu')),
      logo_path: nullable(logoPath),
      colour: nullable(colour),
      languages: offeredLanguages,
      default_language: defaultLanguage,
    }),
    reply,
    versioned: true,
    run: async ({ tx, body, ifMatch }) => view(await changeShopProfile(tx, body, ifMatch)),
  }),
]

interface ProfileChanges {
  name?: string | null
  logo_path?: string | null
  colour?: string | null
  languages?: Language[]
  default_language?: Language
}

export async function changeShopProfile(
  tx: Tx,
  { logo_path: logoPath, default_language: defaultLanguage, ...body }: ProfileChanges,
  ifMatch: IfMatch | undefined,
): Promise<ShopProfile> {
  if (body.colour && contrastWithWhite(body.colour) < readableContrast)
    throw refuse('validation_failed', { fields: [{ path: 'colour', rule: 'too_light' }] })
  const before = await lockShopProfile(tx)
  requireVersion(before, ifMatch)
  const { version: _before, ...wanted } = {
    ...before,
    ...body,
    ...(logoPath !== undefined && { logoPath }),
    ...(defaultLanguage !== undefined && { defaultLanguage }),
  }
  if (!wanted.languages.includes(wanted.defaultLanguage))
    throw refuse('validation_failed', {
      fields: [{ path: 'default_language', rule: 'choice', limit: wanted.languages }],
    })
  const saved = await saveShopProfile(tx, wanted)
  publish(tx, { type: 'ShopProfileChanged', version: saved.version })
  return saved
}

/** WCAG 2.2 AA for text. */
const readableContrast = 4.5

export function contrastWithWhite(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
}
