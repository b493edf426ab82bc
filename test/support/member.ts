// A signed-in member: signs in over HTTP, stores the cookie and names the environment of each call.

import { equal } from 'node:assert/strict'
import type { Environment } from '../../src/base/database.ts'
import { createMember, Passwords, type Role } from '../../src/identity/index.ts'
import { callAt, type CallOptions, type Reply, type TestPlatform } from './shop.ts'

export interface TestMember {
  id: string
  email: string
  cookie: string
  csrfToken: string
  /** Sends a request as the dashboard does, to `test` by default. */
  call(method: string, path: string, options?: CallOptions & { environment?: Environment }): Promise<Reply>
}

export const testPassword = 'correct horse battery'
const passwords = new Passwords()

/** Adds a member with the password above. */
export async function addMember(
  { app }: Pick<TestPlatform, 'app'>,
  role: Role,
  email: string,
): Promise<{ id: string; email: string }> {
  const passwordHash = await passwords.hash(testPassword)
  return app.shops.live.db.transaction((tx) => createMember(tx, { email, name: email, role, passwordHash }))
}

export const cookieIn = (reply: Reply): string => reply.headers.getSetCookie()[0]!.split(';')[0]!

/** Signs in at this server or at another one with the same database. */
export async function signedIn(
  url: string,
  { id, email }: { id: string; email: string },
): Promise<TestMember> {
  const reply = await callAt(url, 'POST', '/v1/admin/sessions', { body: { email, password: testPassword } })
  equal(reply.status, 201, reply.text)
  const cookie = cookieIn(reply)
  return {
    id,
    email,
    cookie,
    csrfToken: reply.body.data.csrf_token,
    call: (method, path, { environment = 'test', headers, ...rest } = {}) =>
      callAt(url, method, path, {
        ...rest,
        headers: { cookie, origin: url, 'x-environment': environment, ...headers },
      }),
  }
}

/** A new member who has signed in. */
export async function memberAt(platform: TestPlatform, role: Role, email: string): Promise<TestMember> {
  return signedIn(platform.url, await addMember(platform, role, email))
}
