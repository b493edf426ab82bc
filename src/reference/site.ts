// The pages of the reference: the start page, guides, one page per resource, the catalogues of errors and events.

import type { OpenApi } from '../http/openapi.ts'
import { operationsOf } from './operation.ts'
import type { SiteContext } from './page-context.ts'
import type { Call } from './snippets.ts'
import { slugOf } from './tags.ts'

export interface Resource {
  slug: string
  name: string
  description: string
  group: string
  calls: Call[]
}

/** Tags without operations of the reference, such as those of other protocols, have no page. */
export const resourcesOf = (document: OpenApi): Resource[] =>
  document['x-tagGroups'].flatMap(({ name: group, tags }) =>
    tags
      .map((tag) => ({
        slug: slugOf(tag),
        name: tag,
        group,
        description: document.tags.find((it) => it.name === tag)?.description ?? '',
        calls: operationsOf(document, tag),
      }))
      .filter((it) => it.calls.length > 0),
  )

/** The address of an operation on the page of its resource. */
export const operationAddress = (resource: Resource, { operation }: Call): string =>
  `/docs/${resource.slug}#${operation.operationId}`

export interface MenuGroup {
  name: string
  links: { title: string; address: string }[]
}

const guideGroups: [name: string, slugs: string[]][] = [
  [
    'Start',
    ['quick-start-server', 'quick-start-web', 'quick-start-mobile', 'quick-start-mini-app', 'going-live'],
  ],
  ['Basics', ['authentication', 'conventions', 'idempotency', 'rate-limits', 'versioning', 'test-clock']],
  [
    'Guides',
    [
      'catalog-import',
      'carts',
      'ordering',
      'instalments',
      'recommendations',
      'campaigns',
      'webhooks',
      'agents',
    ],
  ],
]

/** The menu of all pages. Guides without a group come last in the last group. */
export function menuOf({ document, guides }: SiteContext): MenuGroup[] {
  const known = guideGroups.flatMap(([, slugs]) => slugs)
  const linkTo = (slug: string) => {
    const guide = guides.find((it) => it.slug === slug)
    return guide ? [{ title: guide.title, address: `/docs/guides/${slug}` }] : []
  }
  const others = guides.map((it) => it.slug).filter((it) => !known.includes(it))
  const groups = guideGroups.map(([name, slugs], at) => ({
    name,
    links: [...slugs, ...(at === guideGroups.length - 1 ? others : [])].flatMap(linkTo),
  }))
  const byGroup = Map.groupBy(resourcesOf(document), (it) => it.group)
  return [
    ...groups,
    {
      name: 'Catalogues',
      links: [
        { title: 'Errors', address: '/docs/errors' },
        { title: 'Events', address: '/docs/event-types' },
      ],
    },
    ...[...byGroup].map(([name, its]) => ({
      name,
      links: its.map((it) => ({ title: it.name, address: `/docs/${it.slug}` })),
    })),
  ]
}
