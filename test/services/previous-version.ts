// An earlier commit of this repository as a folder from which its server can be started.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after } from 'node:test'
import { projectRoot, webFolders } from '../../src/web/build/folders.ts'

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: projectRoot, stdio: ['ignore', 'pipe', 'ignore'] })
    .toString()
    .trim()

export interface PreviousVersion {
  commit: string
  main: string
}

/** The last commit with fewer migrations than the files here; undefined without history. `UPGRADE_FROM` names another. */
export function previousVersion(): PreviousVersion | undefined {
  const commit = commitToUpgradeFrom()
  if (commit === undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'bozor-previous-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const archive = execFileSync('git', ['archive', commit], { cwd: projectRoot, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
  // Its pages are not built: no test opens them here.
  const { prebuilt } = webFolders(folder, folder)
  mkdirSync(dirname(prebuilt), { recursive: true })
  mkdirSync(prebuilt)
  return { commit, main: join(folder, 'src/main.ts') }
}

function commitToUpgradeFrom(): string | undefined {
  try {
    const given = process.env['UPGRADE_FROM']
    if (given !== undefined) return git('rev-parse', '--short', given)
    if (git('status', '--porcelain', 'migrations') !== '') return git('rev-parse', '--short', 'HEAD')
    return git(
      'rev-parse',
      '--short',
      `${git('log', '-1', '--diff-filter=A', '--format=%H', '--', 'migrations')}^`,
    )
  } catch {
    return undefined
  }
}
