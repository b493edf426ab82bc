import { Html } from '../../http/html.ts'

/** Structured data for search engines. `<` is escaped, so that no value can end the element. */
export const jsonLd = (value: object): Html =>
  new Html(
    `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...value }).replaceAll('<', '\\u003c')}</script>`,
  )
