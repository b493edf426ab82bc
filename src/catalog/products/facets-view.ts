// Facets as replies show them.

import { Type } from 'typebox'
import type { Reader } from '../../base/database.ts'
import { asMoney } from '../../base/money.ts'
import { inLanguage, type Language } from '../../http/language.ts'
import type { RequestContext } from '../../http/route.ts'
import { idText, integer, list, nullable, oneOf, named } from '../../http/schema.ts'
import { type Attribute, attributeKinds, valueText } from '../attributes/attribute.ts'
import { loadAttributes } from '../attributes/store.ts'
import { categoryPaths } from '../offers/store.ts'
import * as views from '../offers/views.ts'
import type { AttributeFacet, Facets } from '../product-index/query.ts'
import { brandsById, partnersById } from './facet-names.ts'

const maxFacetValues = 30

const counted = { count: integer(0, Number.MAX_SAFE_INTEGER) }
const facetValue = named(
  'FacetValue',
  Type.Object({ id: idText, name: Type.String(), slug: Type.String(), ...counted }),
)
const attributeFacet = named(
  'AttributeFacet',
  Type.Object({
    code: Type.String({ examples: ['screen'] }),
    name: Type.String({ examples: ['Диагональ экрана'] }),
    kind: oneOf(attributeKinds),
    unit: nullable(Type.String()),
    min: nullable(Type.Number()),
    max: nullable(Type.Number()),
    values: list(
      Type.Object({
        value: Type.String({ description: 'As the filter takes it.', examples: ['6.7'] }),
        title: Type.String({ examples: ['6,7 ″'] }),
        ...counted,
      }),
      maxFacetValues,
    ),
  }),
)

export const facetsReply = named(
  'Facets',
  Type.Object({
    brands: list(facetValue, maxFacetValues),
    partners: list(facetValue, maxFacetValues),
    categories: list(facetValue, maxFacetValues),
    price: Type.Object({
      min: nullable(views.money),
      max: nullable(views.money),
      ranges: list(Type.Object({ from: views.money, to: views.money, ...counted })),
    }),
    rating: list(Type.Object({ from: Type.Number(), ...counted })),
    in_stock: Type.Object({ yes: counted.count, no: counted.count }),
    attributes: list(attributeFacet, 30),
  }),
)

export async function facetsView(read: Reader, it: Facets, { language, currency }: RequestContext) {
  const [itsBrands, itsPartners, paths, attributes] = await Promise.all([
    brandsById(
      read,
      most(it.brands).map(({ id }) => id),
    ),
    partnersById(
      read,
      most(it.partners).map(({ id }) => id),
    ),
    categoryPaths(read),
    loadAttributes(read),
  ])
  const counts = (
    them: Facets['brands'],
    nameOf: (id: number) => { name: string; slug: string } | undefined,
  ) =>
    most(them).flatMap(({ id, count }) => {
      const known = nameOf(id)
      return known ? [{ id: String(id), name: known.name, slug: known.slug, count }] : []
    })
  return {
    brands: counts(it.brands, (id) => itsBrands.get(id)),
    partners: counts(it.partners, (id) => itsPartners.get(id)),
    categories: counts(it.categories, (id) => {
      const step = paths.get(id)?.at(-1)
      return step && { name: inLanguage(step.name, language), slug: step.slug }
    }),
    price: {
      min: it.price.min === null ? null : asMoney(it.price.min, currency),
      max: it.price.max === null ? null : asMoney(it.price.max, currency),
      ranges: it.price.buckets.map(({ from, to, count }) => ({
        from: asMoney(from, currency),
        to: asMoney(to, currency),
        count,
      })),
    },
    rating: it.rating,
    in_stock: it.inStock,
    attributes: it.attributes.flatMap((facet) => {
      const attribute = attributes.get(facet.code)
      return attribute ? [attributeFacetView(facet, attribute, language)] : []
    }),
  }
}

const most = <T>(them: readonly T[]): T[] => them.slice(0, maxFacetValues)

/** Numbers in ascending order, everything else the most frequent first. */
function attributeFacetView({ values }: AttributeFacet, attribute: Attribute, language: Language) {
  const numbers = values.flatMap(({ value }) => (typeof value === 'number' ? [value] : []))
  const shown = most(values)
  const sorted =
    attribute.kind === 'number' ? shown.toSorted((a, b) => Number(a.value) - Number(b.value)) : shown
  return {
    code: attribute.code,
    name: inLanguage(attribute.name, language),
    kind: attribute.kind,
    unit: attribute.unit && inLanguage(attribute.unit, language),
    min: numbers.length > 0 ? Math.min(...numbers) : null,
    max: numbers.length > 0 ? Math.max(...numbers) : null,
    values: sorted.map(({ value, count }) => ({
      value: String(value),
      title: valueText({ attribute, value }, language),
      count,
    })),
  }
}
