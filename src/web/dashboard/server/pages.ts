// Serves the dashboard: one HTML document for all its paths; the script in it shows the page that the path names.

import type { Page, PageReply, PageRequest } from '../../../http/server.ts'
import type { WebAssets } from '../../build/assets.ts'
import { entryTags, htmlReply } from '../../build/page.ts'

/** Set by the dashboard itself, so that the first paint has the right theme. */
const themeCookie = /(?:^|;\s*)bozor_theme=(light|dark)(?:;|$)/

export function dashboardPages(assets: WebAssets): Page[] {
  const run = ({ request }: PageRequest): PageReply => {
    const files = assets.entry('dashboard')
    if (!files) return missing
    const theme = themeCookie.exec(request.headers.cookie ?? '')?.[1]
    return htmlReply(`<!doctype html>
<html lang="en"${theme ? ` data-theme="${theme}"` : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>Bozor</title>
<link rel="icon" href="data:,">
${entryTags(files)}
</head>
<body>
<div id="root"></div>
<noscript>The dashboard needs JavaScript.</noscript>
</body>
</html>
`)
  }
  return [
    { path: '/dashboard', run },
    { path: '/dashboard/*', run },
  ]
}

const missing: PageReply = (() => {
  const reply = htmlReply(
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="2">
<title>Bozor</title>
</head>
<body>
<main>
<h1>The dashboard is being built</h1>
<p>The first start builds it in a few seconds, and this page then opens it by itself. If it does not, run
<code>npm run bozor -- build-web</code> and look at what it prints.</p>
</main>
</body>
</html>
`,
    503,
  )
  return { ...reply, headers: { ...reply.headers, 'retry-after': '2' } }
})()
