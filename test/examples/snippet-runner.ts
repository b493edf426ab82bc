// Runs the examples of the reference as their readers do: shell commands by bash, TypeScript in this process, Python by
// one interpreter. A run repeats the call before it with the same Idempotency-Key, so that a write happens once. An example
// that begins with a sign-in signs in, and continues with the session of the call before it: keys belong to a session.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Snippet } from '../../src/reference/snippets.ts'
import type { SignedIn } from './recorder.ts'
import { pngOf } from '../support/png.ts'
import { type BozorOptions, createBozor, type RequestOptions } from '../../src/sdk/index.ts'

/** Who runs the example. */
export interface Reader {
  /** The value of `BOZOR_KEY`. */
  key: string | undefined
  cookies: ReadonlyMap<string, string>
  /** The values of `BOZOR_LOGIN`, or `BOZOR_EMAIL`, and `BOZOR_PASSWORD`. */
  signedIn: SignedIn | undefined
  idempotencyKey: string | undefined
}

export interface SnippetRunner {
  /** What is wrong with the run; undefined for nothing. */
  faultOf(snippet: Snippet, reader: Reader): Promise<string | undefined>
  close(): void
}

const has = (command: string): boolean => spawnSync(command, ['--version']).status === 0

export function openSnippetRunner(): SnippetRunner {
  const folder = mkdtempSync(join(tmpdir(), 'bozor-snippets-'))
  writeFileSync(join(folder, 'picture.png'), pngOf(800, 600))
  const python = has('python3') ? openPython(folder) : undefined
  const canShell = has('bash') && has('curl')
  return {
    faultOf: ({ code, language }, reader) => {
      if (language === 'ts') return typescriptFault(code, reader, folder)
      if (language === 'python') return python ? python.faultOf(code, reader) : Promise.resolve(undefined)
      return canShell ? shellFault(code, reader, folder) : Promise.resolve(undefined)
    },
    close: () => {
      python?.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** An error reply makes curl fail; every call of `openssl` gives the same key. */
const shellPrelude = `
curl() {
  case " $* " in
    *" -c cookies.txt "*) signIn "\${@/cookies.txt/signed-in.txt}" ;;
    *) command curl -sS --fail-with-body "$@" ;;
  esac
}
signIn() {
  local reply
  if reply=$(command curl -sS --fail-with-body "$@"); then grep -q bozor_ signed-in.txt && return
  elif [[ "$reply" == *'"two_step_required"'* ]]; then return
  fi
  echo "the sign-in failed: $reply"
  exit 1
}
openssl() { echo "$IDEMPOTENCY_KEY"; }
`

/** The variables of the examples. */
const variablesOf = ({ key, signedIn }: Reader): Record<string, string> => ({
  ...(key && { BOZOR_KEY: key }),
  ...(signedIn && {
    BOZOR_LOGIN: signedIn.login,
    BOZOR_EMAIL: signedIn.login,
    BOZOR_PASSWORD: signedIn.password,
  }),
})

async function shellFault(code: string, reader: Reader, folder: string): Promise<string | undefined> {
  const lines = [...reader.cookies].map(([name, value]) =>
    ['127.0.0.1', 'FALSE', '/', 'FALSE', '0', name, value].join('\t'),
  )
  writeFileSync(join(folder, 'cookies.txt'), `# Netscape HTTP Cookie File\n${lines.join('\n')}\n`)
  const child = spawn('bash', ['-c', `${shellPrelude}${code}`], {
    cwd: folder,
    // A group of its own, so that a stream ends with its curl.
    detached: true,
    env: {
      ...process.env,
      ...variablesOf(reader),
      IDEMPOTENCY_KEY: reader.idempotencyKey ?? '',
    },
  })
  const isStream = code.includes('curl -N')
  return new Promise((done) => {
    let output = ''
    child.stderr.on('data', (part: Buffer) => (output += part.toString()))
    child.stdout.on('data', (part: Buffer) => {
      output += part.toString()
      if (isStream) process.kill(-child.pid!)
    })
    child.once('close', (status) => done(status === 0 || isStream ? undefined : output.slice(0, 600)))
  })
}

const signInPath = /^\/v1\/(auth\/login|admin\/sessions)$/

/** Calls of a session are sent with the cookie of the call before, as by a page of the server. */
const sessionFetch =
  (reader: Reader): typeof fetch =>
  async (input, init = {}) => {
    const { pathname, origin } = new URL(input as string)
    const isSession = init.credentials === 'include'
    if (isSession && init.method === 'POST' && signInPath.test(pathname)) return signIn(input, init)
    const { Cookie: _cookie, 'X-CSRF-Token': _token, ...given } = init.headers as Record<string, string>
    const cookie = [...reader.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = {
      ...given,
      ...(isSession && { cookie, origin }),
      ...(reader.idempotencyKey && { 'Idempotency-Key': reader.idempotencyKey }),
    }
    return fetch(input, { ...init, headers } as RequestInit & RequestOptions)
  }

/** With two steps the password is right when the server asks for the code. */
async function signIn(input: Parameters<typeof fetch>[0], init: RequestInit): Promise<Response> {
  const reply = await fetch(input, init)
  const isHalfWay = reply.status === 401 && (await reply.clone().text()).includes('"two_step_required"')
  return isHalfWay ? Response.json({ success: true, data: {} }) : reply
}

async function typescriptFault(code: string, reader: Reader, folder: string): Promise<string | undefined> {
  const lines = stripTypeScriptTypes(code).replaceAll(/^import .*\n/gm, '')
  const create = (options: BozorOptions) =>
    createBozor({ ...options, fetch: sessionFetch(reader), maxRetries: 0, timeoutMs: 600_000 })
  const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as FunctionConstructor
  try {
    const run = new AsyncFunction('createBozor', 'readFile', 'process', 'console', 'fetch', lines) as (
      ...given: unknown[]
    ) => Promise<void>
    const fromFolder = (name: string) => readFile(join(folder, name))
    await run(create, fromFolder, { env: variablesOf(reader) }, { log: endStream }, checkedFetch)
    return undefined
  } catch (error) {
    return error === streamEnd ? undefined : String(error)
  }
}

/** For examples without the SDK. */
const checkedFetch: typeof fetch = async (...given) => {
  const reply = await fetch(...given)
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`)
  return reply
}

/** The example of a stream prints events for ever. */
const streamEnd = new Error('the first event arrived')
const endStream = (): never => {
  throw streamEnd
}

interface Python {
  faultOf(code: string, reader: Reader): Promise<string | undefined>
  close(): void
}

function openPython(cwd: string): Python {
  const child: ChildProcess = spawn('python3', ['-c', pythonHost], {
    cwd,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const waiting: ((fault: string | undefined) => void)[] = []
  createInterface({ input: child.stdout! }).on('line', (line) =>
    waiting.shift()?.((JSON.parse(line) as { fault: string | null }).fault ?? undefined),
  )
  child.once('exit', () => waiting.splice(0).forEach((done) => done('the interpreter ended')))
  return {
    faultOf: (code, reader) =>
      new Promise((done) => {
        waiting.push(done)
        const cookies = Object.fromEntries(reader.cookies)
        const variables = variablesOf(reader)
        child.stdin!.write(
          `${JSON.stringify({ code, variables, cookies, idempotency_key: reader.idempotencyKey ?? null })}\n`,
        )
      }),
    close: () => child.stdin!.end(),
  }
}

/** Runs the code of each line. Without the package `requests` the standard library stands in for it. */
const pythonHost = `
import json, os, sys, uuid
try:
  import requests
except ImportError:
  import types, urllib.request, urllib.parse, urllib.error
  class Reply:
    def __init__(self, status, reply): self.status_code, self.reply = status, reply
    @property
    def text(self): return self.reply.read().decode()
    def iter_lines(self): return self.reply
    def __enter__(self): return self
    def __exit__(self, *_): self.reply.close()
  class Session:
    def __init__(self): self.cookies = {}
    def request(self, method, url, params=None, headers=None, json=None, data=None, stream=False, cookies=None):
      address = url + ("?" + urllib.parse.urlencode(params) if params else "")
      sent = dict(headers or {})
      if json is not None:
        data = globals()["json"].dumps(json).encode()
        sent["Content-Type"] = "application/json"
      jar = "; ".join(name + "=" + value for name, value in self.cookies.items())
      if jar: sent["Cookie"] = jar
      if isinstance(data, dict): data = urllib.parse.urlencode(data).encode()
      asked = urllib.request.Request(address, data, sent, method=method)
      try:
        reply = urllib.request.urlopen(asked)
      except urllib.error.HTTPError as refused:
        reply = refused
      return Reply(reply.status, reply)
  requests = types.ModuleType("requests")
  requests.Session = Session
  for name in ["get", "post", "put", "patch", "delete"]:
    setattr(Session, name, lambda self, url, name=name, **more: self.request(name.upper(), url, **more))
    setattr(requests, name, lambda url, name=name, **more: Session().request(name.upper(), url, **more))
  sys.modules["requests"] = requests

class FirstLine(Exception): pass
class Refused(Exception): pass
reader = {}
plain = requests.Session.request
def checked(self, method, url, **more):
  if reader["has_session"] and method == "POST" and url.endswith(("/v1/auth/login", "/v1/admin/sessions")):
    reply = plain(self, method, url, **more)
    if reply.status_code < 300: return reply
    text = reply.text
    if '"two_step_required"' in text: return reply
    raise Refused("the sign-in failed: " + text[:600])
  if reader["has_session"]:
    self.cookies.clear()
    for name, value in reader["cookies"].items(): self.cookies[name] = value
  reply = plain(self, method, url, **more)
  if reply.status_code >= 300: raise Refused(str(reply.status_code) + " " + reply.text[:600])
  return reply
requests.Session.request = checked

def first_line(*_): raise FirstLine()

for line in sys.stdin:
  reader = json.loads(line)
  reader["has_session"] = "requests.Session()" in reader["code"]
  os.environ.update(reader["variables"])
  if reader["idempotency_key"]: uuid.uuid4 = lambda: reader["idempotency_key"]
  fault = None
  try:
    exec(reader["code"], {"print": first_line})
  except FirstLine:
    pass
  except Exception as error:
    fault = type(error).__name__ + ": " + str(error)
  sys.stdout.write(json.dumps({"fault": fault}) + "\\n")
  sys.stdout.flush()
`
