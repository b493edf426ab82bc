// Makes the built files: in a draft folder that is renamed when it is complete, so that several processes may build at
// once and no reader sees a part.

import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { builtFolder, projectRoot, type WebFolders } from './folders.ts'
import { installTools } from './tools.ts'

/** Builds the pages unless they are built already, and returns their folder. */
export async function buildWeb(folders: WebFolders, wanted: keyof WebFolders): Promise<string> {
  const found = wanted === 'prebuilt' ? undefined : builtFolder(folders)
  if (found !== undefined) return found
  const target = mayWrite(folders[wanted]) ? folders[wanted] : folders.fallback
  mkdirSync(dirname(target), { recursive: true })
  const draft = mkdtempSync(`${target}-draft-`)
  try {
    const root = hasTools() ? projectRoot : await installTools(toolsParent(folders))
    await runBundler(root, draft)
    // A draft is for its owner only; the server may run as another user.
    chmodSync(draft, 0o755)
    rmSync(target, { recursive: true, force: true })
    renameSync(draft, target)
  } catch (error) {
    // Another process may have finished first.
    if (!existsSync(join(target, 'manifest.json'))) throw error
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return target
}

/** Whether the bundler is installed beside this package. */
function hasTools(): boolean {
  try {
    createRequire(import.meta.url).resolve('vite/package.json')
    return true
  } catch {
    return false
  }
}

/** Not below node_modules, where Node runs no TypeScript. */
const toolsParent = ({ fallback }: WebFolders): string => {
  const own = join(projectRoot, '.cache')
  return !projectRoot.split(sep).includes('node_modules') && mayWrite(join(own, 'web'))
    ? own
    : dirname(fallback)
}

function mayWrite(folder: string): boolean {
  try {
    mkdirSync(dirname(folder), { recursive: true })
    rmSync(mkdtempSync(`${folder}-try-`), { recursive: true })
    return true
  } catch {
    return false
  }
}

function runBundler(root: string, folder: string): Promise<void> {
  const script = join(root, 'src', 'web', 'build', 'bundle.ts')
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, folder], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', (text: Buffer) => (output += text.toString()))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`the pages could not be built:\n${output}`)),
    )
  })
}
