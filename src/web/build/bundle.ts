// Bundles the pages with Vite: `node src/web/build/bundle.ts FOLDER`. A process of its own, because the bundler takes
// more memory than the server, and because it may run in a copy of the sources beside separately installed tools.

import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import tailwind from '@tailwindcss/vite'
import { build } from 'vite'
import { entries } from './entries.ts'

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))
const [, , folder] = process.argv
if (!folder) throw new Error('the folder for the built files is missing')

const input = Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(join(root, file))))

await build({
  configFile: false,
  root,
  publicDir: false,
  logLevel: 'warn',
  plugins: [react(), tailwind()],
  build: {
    outDir: folder,
    emptyOutDir: true,
    manifest: 'manifest.json',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input },
  },
})

for (const file of globSync('assets/*.{js,css,svg}', { cwd: folder })) {
  const path = join(folder, file)
  const bytes = readFileSync(path)
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 9 }
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: quality }))
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
}
