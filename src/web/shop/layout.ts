// The document around every page: head, header, footer and the bar of a phone.

import type { Category } from '../../sdk/index.ts'
import { cardForm } from './cards.ts'
import { childrenOf } from './frame.ts'
import { html, type Html } from '../../http/html.ts'
import { icon, iconSprite, type IconName, mark } from './icons.ts'
import { fullOffer, languageNames, languageTags, offeredLanguages } from './language.ts'
import { noteOf } from './notes.ts'
import { categoryPath } from './path.ts'
import type { Reply } from './storefront.ts'
import { colourSheetPath } from './colour-sheet.ts'
import type { Frame, ShopProfile, Visit } from './visit.ts'

export interface PageContent {
  title: string
  description?: string
  /** The path of the page without filters; search engines see only this one. */
  canonical?: string
  /** Pages of one visitor, such as the cart. */
  isPrivate?: boolean
  structured?: Html
  content: Html
  status?: number
}

export async function page(visit: Visit, it: PageContent): Promise<Reply> {
  const frame = await visit.frame()
  const menus = await visit.keep('menus', async () => menusOf(visit, frame.categories))
  const content = html`<!doctype html>
    <html lang="${languageTags[visit.language]}" ${themeOf(visit)}>
      <head>
        ${head(visit, it, frame.shop)}
      </head>
      <body>
        ${iconSprite}
        <a class="skip" href="#main">${visit.texts.skip}</a>
        ${header(visit, frame, menus)} ${notes(visit)}
        <main id="main" tabindex="-1">${it.content}</main>
        ${cardForm(visit)} ${footer(visit, frame)} ${bar(visit, frame)}
      </body>
    </html>`
  return {
    kind: 'html',
    content,
    isPublic: !it.isPrivate,
    ...(it.status !== undefined && { status: it.status }),
  }
}

/** The theme that the visitor has chosen; without one the page follows the system. */
export function themeOf(visit: Visit): Html | false {
  const theme = visit.cookie('theme')
  return (theme === 'light' || theme === 'dark') && html`data-theme="${theme}"`
}

/** Messages, with the texts that the script shows by itself. */
export const notes = (visit: Visit): Html =>
  html`<div
    id="notes"
    aria-live="polite"
    data-offline="${visit.texts.offline}"
    data-online="${visit.texts.online}"
    data-elsewhere="${visit.texts.cartElsewhere}"
  >
    ${noteOf(visit)}
  </div>`

export function head(visit: Visit, it: PageContent, shop?: ShopProfile): Html {
  const { origin, assets } = visit
  return html`<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${it.title} — ${shop?.name ?? visit.texts.shopName}</title>
    <meta name="description" content="${it.description ?? visit.texts.slogan}" />
    <meta name="color-scheme" content="light dark" />
    <meta name="theme-color" content="${shop?.colour ?? '#0b6b63'}" />
    <link
      rel="icon"
      href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Cpath fill='%230b6b63' d='M16 0l4.7 4.7h6.6v6.6L32 16l-4.7 4.7v6.6h-6.6L16 32l-4.7-4.7H4.7v-6.6L0 16l4.7-4.7V4.7h6.6Z'/%3E%3C/svg%3E"
    />
    ${
      it.isPrivate || it.canonical === undefined
        ? html`<meta name="robots" content="noindex" />`
        : html`<link rel="canonical" href="${origin}${visit.at(it.canonical)}" />
            ${offeredLanguages(shop ?? fullOffer).map(
              (language) =>
                html`<link
                  rel="alternate"
                  hreflang="${languageTags[language]}"
                  href="${origin}/shop/${language}${it.canonical}"
                />`,
            )}
            <link
              rel="alternate"
              hreflang="x-default"
              href="${origin}/shop/${(shop ?? fullOffer).default_language}${it.canonical}"
            />
            <meta property="og:title" content="${it.title}" />
            <meta property="og:type" content="website" />
            <meta property="og:url" content="${origin}${visit.at(it.canonical)}" />`
    }
    <link rel="stylesheet" href="${assets.style.path}" />
    ${shop?.colour && html`<link rel="stylesheet" href="${colourSheetPath(shop.colour)}" />`}
    <script type="module" src="${assets.script.path}"></script>
    ${it.structured}`
}

function header(visit: Visit, { cartCount, shop }: Frame, menus: Menus): Html {
  const { texts, at } = visit
  const name = shop.name ?? texts.shopName
  const query = visit.path.startsWith('/search') ? (visit.query.get('q') ?? '') : ''
  return html`<header class="top">
    ${visit.options.environment === 'test' && html`<p class="strip">${texts.testMode}</p>`}
    <div class="wrap top-row">
      <a class="logo" href="${at('')}" aria-label="${name}, ${texts.home}">
        ${logo(shop)}<span>${name}</span>
      </a>
      <details class="menu" data-menu>
        <summary class="button brand">${icon('grid')}<span>${texts.catalog}</span></summary>
        <nav class="menu-panel" aria-label="${texts.categories}">${menus.all}</nav>
      </details>
      <form class="search" role="search" action="${at('/search')}" data-suggest="${at('/suggest')}">
        <input
          type="search"
          name="q"
          value="${query}"
          maxlength="200"
          placeholder="${texts.searchFor}"
          aria-label="${texts.searchFor}"
          autocomplete="off"
        />
        <button class="button brand" aria-label="${texts.search}">${icon('search')}</button>
      </form>
      ${languageMenu(visit, shop)}
      <button class="round theme" type="button" data-theme-switch aria-label="${texts.theme}">
        ${icon('moon')}
      </button>
      <nav class="doors" aria-label="${texts.account}">${doors(visit, cartCount)}</nav>
    </div>
    <nav class="wrap departments" aria-label="${texts.categories}">
      <a class="hot" href="${at('/deals')}">${texts.deals}</a>
      ${menus.departments}
    </nav>
  </header>`
}

const logo = ({ logo_path: path }: ShopProfile): Html =>
  path === null ? mark : html`<img class="mark" src="${path}" alt="" />`

interface Menus {
  all: Html
  departments: Html
}

const menusOf = (visit: Visit, categories: Category[]): Menus => ({
  all: menu(visit, categories),
  departments: html`${childrenOf(categories, null).map(
    (it) => html`<a href="${visit.at(categoryPath(it))}">${visit.say(it.name)}</a>`,
  )}`,
})

const menu = (visit: Visit, categories: Category[]): Html =>
  html`<div class="wrap menu-columns">
    ${childrenOf(categories, null).map(
      (top) =>
        html`<section>
          <h3><a href="${visit.at(categoryPath(top))}">${visit.say(top.name)}</a></h3>
          <ul>
            ${childrenOf(categories, top.id).map(
              (it) => html`<li><a href="${visit.at(categoryPath(it))}">${visit.say(it.name)}</a></li>`,
            )}
          </ul>
        </section>`,
    )}
  </div>`

const languageMenu = (visit: Visit, shop: ShopProfile): Html | false =>
  offeredLanguages(shop).length > 1 &&
  html`<details class="language" data-menu>
    <summary class="round" aria-label="${visit.texts.language}: ${languageNames[visit.language]}">
      ${icon('globe')}
    </summary>
    <ul class="popup">
      ${offeredLanguages(shop).map(
        (it) =>
          html`<li>
            <a
              href="/shop/${it}${visit.path}${queryOf(visit)}"
              lang="${languageTags[it]}"
              ${it === visit.language && html`aria-current="true"`}
              >${languageNames[it]}</a
            >
          </li>`,
      )}
    </ul>
  </details>`

const queryOf = ({ here }: Visit): string => (here.includes('?') ? here.slice(here.indexOf('?')) : '')

const doorList = (visit: Visit): { to: string; name: string; symbol: IconName }[] => [
  {
    to: visit.clientName ? '/account' : '/sign-in',
    name: visit.clientName ?? visit.texts.signIn,
    symbol: 'user',
  },
  { to: '/wishlist', name: visit.texts.wishlist, symbol: 'heart' },
  { to: '/cart', name: visit.texts.cart, symbol: 'cart' },
]

const doors = (visit: Visit, cartCount: number): Html[] =>
  doorList(visit).map(
    ({ to, name, symbol }) =>
      html`<a class="door" href="${visit.at(to)}">
        ${icon(symbol)}<span>${name}</span>${symbol === 'cart' && badge(cartCount)}
      </a>`,
  )

/** The number of units in the cart, which the script keeps up to date. */
export const badge = (count: number): Html =>
  html`<b class="badge" data-cart-count ${count === 0 && html`hidden`}>${count}</b>`

/** The bar at the bottom of a phone. */
function bar(visit: Visit, { cartCount }: Frame): Html {
  const [account, wishlist, cart] = doorList(visit)
  const home = { to: '', name: visit.texts.home, symbol: 'home' as const }
  const catalog = { to: '/catalog', name: visit.texts.catalog, symbol: 'grid' as const }
  return html`<nav class="bar" aria-label="${visit.texts.shopName}">
    ${[home, catalog, cart!, wishlist!, account!].map(
      ({ to, name, symbol }) =>
        html`<a href="${visit.at(to)}" ${visit.path === to && html`aria-current="page"`}>
          ${icon(symbol)}<span>${name}</span>${symbol === 'cart' && badge(cartCount)}
        </a>`,
    )}
  </nav>`
}

const footer = ({ texts, at }: Visit, { shop }: Frame): Html =>
  html`<footer class="foot">
    <div class="wrap foot-columns">
      <div>
        <p class="logo">${logo(shop)}<span>${shop.name ?? texts.shopName}</span></p>
        <p>${texts.slogan}</p>
      </div>
      <nav aria-label="${texts.help}">
        <h2>${texts.help}</h2>
        <a href="${at('/orders')}">${texts.trackOrder}</a>
        <a href="${at('/shared')}">${texts.sharedCart}</a>
        <a href="${at('/deals')}">${texts.allDeals}</a>
      </nav>
      <nav aria-label="${texts.forDevelopers}">
        <h2>${texts.forDevelopers}</h2>
        <a href="/docs">API</a>
        <a href="${at('/mini')}">${texts.mini}</a>
      </nav>
    </div>
    <p class="wrap fine">${texts.footerNote}</p>
  </footer>`
