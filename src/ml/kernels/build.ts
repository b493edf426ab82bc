// Compiles source/NAME.ts (AssemblyScript) to NAME.wasm, or with --check proves the committed bytes fresh.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const compilerFlags = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--importMemory']
const flagsLine = /^\/\/ asc: (.+)$/

/** The names of every kernel that has a source. */
export function kernelNames(folder: string): string[] {
  return readdirSync(join(folder, 'source'))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .toSorted()
}

/** The bytes a kernel's source compiles to; the first line of a source may add flags after "// asc:". */
export function compiledKernel(folder: string, name: string): Uint8Array {
  const sources = join(folder, 'source')
  const [first = ''] = readFileSync(join(sources, `${name}.ts`), 'utf8').split('\n', 1)
  const flags = flagsLine.exec(first)?.[1]?.trim().split(/\s+/) ?? []
  const outputFolder = mkdtempSync(join(tmpdir(), 'kernel-'))
  try {
    const out = join(outputFolder, `${name}.wasm`)
    const words = [compilerPath(), `${name}.ts`, '--outFile', out, ...compilerFlags, ...flags]
    const { status, stderr } = spawnSync(process.execPath, words, { cwd: sources, encoding: 'utf8' })
    if (status !== 0) throw new Error(`The kernel ${name} does not compile.\n${stderr}`)
    return readFileSync(out)
  } finally {
    rmSync(outputFolder, { recursive: true })
  }
}

function compilerPath(): string {
  const manifest = createRequire(import.meta.url).resolve('assemblyscript/package.json')
  return join(dirname(manifest), 'bin', 'asc.js')
}

/** The names of kernels whose committed bytes differ from what their sources compile to. */
export function staleKernels(folder: string, names = kernelNames(folder)): string[] {
  return names.filter((name) => !compiledKernelEquals(folder, name))
}

function compiledKernelEquals(folder: string, name: string): boolean {
  const fresh = compiledKernel(folder, name)
  try {
    return readFileSync(join(folder, `${name}.wasm`)).equals(fresh)
  } catch {
    return false
  }
}

function run(folder: string, words: string[]): void {
  const asked = words.filter((word) => !word.startsWith('--'))
  const names = asked.length > 0 ? asked : kernelNames(folder)
  if (words.includes('--check')) {
    const stale = staleKernels(folder, names)
    if (stale.length === 0) return
    console.error(`Stale kernels: ${stale.join(', ')}. Build them again with kernels/build.ts.`)
    process.exitCode = 1
    return
  }
  for (const name of names) {
    const bytes = compiledKernel(folder, name)
    writeFileSync(join(folder, `${name}.wasm`), bytes)
    console.log(`${name}.wasm ${bytes.length} bytes`)
  }
}

if (import.meta.main) run(import.meta.dirname, process.argv.slice(2))
