// The sitemap: categories and products in one language each, with the others as alternates by the pages themselves.

import { offeredLanguages } from '../language.ts'
import { categoryPath, productPath } from '../path.ts'
import type { Reply } from '../storefront.ts'
import type { Visit } from '../visit.ts'

/** The protocol allows 50 000 addresses in a file. */
const maxAddresses = 50_000

export async function sitemap(visit: Visit): Promise<Reply> {
  const { categories, shop } = await visit.frame()
  const languages = offeredLanguages(shop)
  const paths = ['', '/catalog', '/deals', ...categories.map(categoryPath)]
  const most = Math.floor(maxAddresses / languages.length)
  for await (const { slug } of visit.bozor.products.list({ per_page: 100 })) {
    if (paths.length === most) break
    paths.push(productPath(slug))
  }
  const addresses = paths.flatMap((path) =>
    languages.map((language) => `<url><loc>${visit.origin}/shop/${language}${path}</loc></url>`),
  )
  return {
    kind: 'text',
    type: 'application/xml; charset=utf-8',
    body: `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${addresses.join('')}</urlset>`,
  }
}
