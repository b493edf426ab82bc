// The page at `/`: where a person finds the reference and the state of the server. It loads nothing from elsewhere.

import { sha256 } from '../base/random.ts'
import { refuse } from '../base/refusal.ts'
import type { Page } from '../http/server.ts'

const style = `
:root { color-scheme: light dark; --paper: #fffdfa; --card: #fff; --ink: #1d1b18; --soft: #5f5a52; --line: #e8e2d8; --accent: #0a6b62; --tint: #e6f3f0; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #14110e; --card: #1d1a16; --ink: #f3eee6; --soft: #b3aa9d; --line: #332e27; --accent: #52d3c4; --tint: #16302c; }
}
* { box-sizing: border-box; margin: 0; }
body { display: grid; min-height: 100vh; place-items: center; padding: 2rem 1.25rem; background: var(--paper); color: var(--ink); font: 16px/1.55 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
main { width: min(100%, 60rem); }
h1 { display: flex; align-items: center; gap: .8rem; font-size: clamp(2.2rem, 7vw, 3.2rem); line-height: 1.1; letter-spacing: -.03em; }
svg { width: 1.1em; height: 1.1em; flex: none; fill: var(--accent); }
h1 + p { margin-top: .8rem; max-width: 36rem; color: var(--soft); font-size: 1.15rem; }
ul { padding: 0; list-style: none; }
.pages { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: 1rem; margin-top: 2.5rem; }
.pages a { display: block; height: 100%; padding: 1.4rem; border: 1px solid var(--line); border-radius: 16px; background: var(--card); color: inherit; text-decoration: none; }
.pages a:hover { border-color: var(--accent); background: var(--tint); }
.pages strong { display: flex; justify-content: space-between; color: var(--accent); font-size: 1.2rem; }
.pages span { display: block; margin-top: .4rem; color: var(--soft); }
.others { display: flex; flex-wrap: wrap; gap: .4rem 1.6rem; margin-top: 2rem; color: var(--soft); font-size: .95rem; }
.others a { color: var(--accent); text-underline-offset: 3px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
`

type Link = [path: string, name: string, description: string]

const shop: Link = [
  '/shop',
  'Shop',
  'What buyers see: search, recommendations, cart, checkout, orders. In Russian, Uzbek and English.',
]
const pages: Link[] = [
  ['/dashboard', 'Dashboard', 'Run the shop: orders, catalog, promotions, recommendations, keys.'],
  ['/docs', 'API reference', 'Every call with examples that run, guides, errors and events.'],
]
const others: Link[] = [
  ['/openapi.json', 'OpenAPI', 'for programs'],
  ['/readyz', 'Readiness', 'of the server'],
  ['/healthz', 'Health', 'of the process'],
]

const mark =
  '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4.6 4.6h14.8v14.8H4.6z"/><path d="M12 1.5 22.5 12 12 22.5 1.5 12z"/><circle cx="12" cy="12" r="3.6" fill="#f0a92e"/></svg>'

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
<h1>${mark}Bozor</h1>
<p>Catalog, carts, orders, marketing and recommendations behind one API. Version ${version} is running.</p>
<ul class="pages">
${[...(hasShop ? [shop] : []), ...pages].map(([path, name, description]) => `<li><a href="${path}"><strong>${name}<i aria-hidden="true">→</i></strong><span>${description}</span></a></li>`).join('\n')}
</ul>
<ul class="others">
${others.map(([path, name, description]) => `<li><a href="${path}">${name}</a> ${description}</li>`).join('\n')}
</ul>
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
