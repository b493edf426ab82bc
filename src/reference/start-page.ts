// The page at `/`: where a person finds the reference and the state of the server. It loads nothing from elsewhere.

import { sha256 } from '../base/random.ts'
import { refuse } from '../base/refusal.ts'
import type { Page } from '../http/server.ts'

const style = `
:root { color-scheme: light dark; --paper: #fff; --ink: #15201e; --soft: #55625f; --line: #e2e8e6; --accent: #0a756d; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #0f1617; --ink: #e3ebe9; --soft: #9db0ac; --line: #213033; --accent: #52d3c4; }
}
body { max-width: 40rem; margin: 12vh auto; padding: 0 1.5rem; background: var(--paper); color: var(--ink); font: 16px/1.6 ui-sans-serif, system-ui, sans-serif; }
h1 { margin: 0; font-size: 2rem; }
p, dd { margin: 0; color: var(--soft); }
dl { margin: 2rem 0 0; border-top: 1px solid var(--line); }
dl div { padding: .75rem 0; border-bottom: 1px solid var(--line); }
a { color: var(--accent); font-weight: 600; }
`

const links: [path: string, name: string, description: string][] = [
  ['/dashboard', 'Dashboard', 'Run the shop: orders, catalog, applications and keys.'],
  ['/docs', 'API reference', 'Every call with its fields, errors and examples.'],
  ['/openapi.json', 'OpenAPI 3.1', 'The same for programs.'],
  ['/readyz', 'Readiness', 'Whether the server is ready for requests, with its checks.'],
  ['/healthz', 'Health', 'Whether the process is up.'],
]

const shopLink: (typeof links)[number] = ['/shop', 'Shop', 'The storefront, for buyers.']

const html = (version: string, hasShop: boolean): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Bozor</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Bozor</h1>
<p>The backend of a shop. Version ${version}.</p>
<dl>
${[...(hasShop ? [shopLink] : []), ...links].map(([path, name, description]) => `<div><dt><a href="${path}">${name}</a></dt><dd>${description}</dd></div>`).join('\n')}
</dl>
</main>
</body>
</html>
`

export function startPage(version: string, { hasShop = false } = {}): Page {
  const body = html(version, hasShop)
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${sha256(style).toString('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]
  const headers = {
    'cache-control': 'no-cache',
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
  }
  return {
    path: '/',
    run: ({ request }) => {
      // The router ignores a trailing slash, so that `//` arrives here too.
      if (request.url.split('?')[0] !== '/') throw refuse('not_found')
      return { type: 'text/html; charset=utf-8', body, headers }
    },
  }
}
