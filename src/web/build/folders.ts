// Where built files of the web pages are: in a folder that is named by the hash of everything they are built from, so
// that an unchanged tree is built once and a changed one never serves old files.

import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of package.json. */
export const projectRoot = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))

const sourceFiles = ['src/web/**/*.{ts,tsx,css,svg,woff2,json}', 'src/sdk/*.ts']
const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file)

/** Every file that the build reads, relative to the root. */
export const webSources = (root = projectRoot): string[] =>
  [
    ...globSync(sourceFiles, { cwd: root }).filter((it) => !isTest(it)),
    'package-lock.json',
    'tsconfig.json',
  ].toSorted()

export function webHash(root = projectRoot): string {
  const hash = createHash('sha256')
  for (const file of webSources(root)) {
    const bytes = readFileSync(join(root, file))
    hash.update(`${file.replaceAll(sep, '/')} ${bytes.length}\n`).update(bytes)
  }
  return hash.digest('hex').slice(0, 16)
}

export interface WebFolders {
  /** Where a start keeps what it builds. */
  cache: string
  /** For folders that belong to another user, as in an image. */
  fallback: string
  /** What `bozor build-web` makes for installations without the build tools. */
  prebuilt: string
}

export function webFolders(dataDir: string, root = projectRoot): WebFolders {
  const name = `web-${webHash(root)}`
  const isDependency = root.split(sep).includes('node_modules')
  const packages = isDependency ? dirname(root) : join(root, 'node_modules')
  return {
    cache: join(packages, '.cache', 'bozor', name),
    fallback: join(resolve(dataDir), name),
    prebuilt: join(root, 'dist', name),
  }
}

/** The first of these folders that holds a complete build. */
export const builtFolder = ({ cache, prebuilt, fallback }: WebFolders): string | undefined =>
  [cache, prebuilt, fallback].find((it) => existsSync(it))
