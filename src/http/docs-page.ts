import { openApi } from './openapi.ts'
import type { Route } from './route.ts'
import type { Page } from './server.ts'

/** The OpenAPI document and the reference that people read, both from the same tables. */
export function docsPages(routes: Route[], version: string): Page[] {
  return [
    {
      path: '/openapi.json',
      run: ({ request }) => ({
        type: 'application/json; charset=utf-8',
        body: JSON.stringify(openApi(routes, { version, origin: request.asked.origin })),
      }),
    },
  ]
}
