// Where we let ourselves be sent: nobody outside may use us to reach what only we can reach (faults E10). An address is
// judged when it is registered and again at every connection, after its name was resolved: names can change their mind.

import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns'
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net'
import type { Environment } from './db.ts'

export type AddressFault = 'https_required' | 'credentials' | 'private_address' | 'format'

/** What is wrong with an address as it is written; undefined when nothing is, as far as one can see. */
export function faultOfUrl(text: string, environment: Environment): AddressFault | undefined {
  if (!URL.canParse(text)) return 'format'
  const url = new URL(text)
  if (!['http:', 'https:'].includes(url.protocol) || url.hostname === '') return 'format'
  if (url.username !== '' || url.password !== '') return 'credentials'
  if (url.protocol === 'http:' && environment === 'live') return 'https_required'
  const host = hostOf(url)
  return isIP(host) && !mayReach(host, environment) ? 'private_address' : undefined
}

/** The host as it is connected to: an IPv6 address without its brackets. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

/** In test this machine may be reached, so that integrators can try things out at their desks; nothing else private. */
export function mayReach(address: string, environment: Environment): boolean {
  const plain = mappedIn(address) ?? address
  if (isIP(plain) === 0) return false
  const family = isIPv6(plain) ? 'ipv6' : 'ipv4'
  if (loopback.check(plain, family)) return environment === 'test'
  return family === 'ipv4'
    ? !closed.check(plain, family)
    : open6.check(plain, family) && !closed.check(plain, family)
}

/** Asks what addresses a name has at this moment: the machine's own way unless told otherwise. */
export type Resolve = (
  host: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void

/** Resolves a name and hands on only addresses that may be reached; one that may not spoils them all. */
export function guardedLookup(environment: Environment, resolve: Resolve = lookup): LookupFunction {
  const ask = askedOnce(resolve)
  return (host, options, done) =>
    ask(host, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '', 0)
      const bad = found.find(({ address }) => !mayReach(address, environment))
      if (bad || found.length === 0) return done(new ForbiddenAddress(), '', 0)
      if (options.all) return done(null, found)
      done(null, found[0]!.address, found[0]!.family)
    })
}

/**
 * All who want to know a name at the same time share one answer. The machine asks for few names at once, and a name
 * server that keeps silent would else hold up every other name.
 */
function askedOnce(resolve: Resolve): Resolve {
  const asking = new Map<string, Parameters<Resolve>[2][]>()
  return (host, options, done) => {
    const key = JSON.stringify([host, options])
    const waiting = asking.get(key)
    if (waiting) return void waiting.push(done)
    const all = [done]
    asking.set(key, all)
    resolve(host, options, (error, found) => {
      asking.delete(key)
      for (const it of all) it(error, found)
    })
  }
}

export class ForbiddenAddress extends Error {
  constructor() {
    super('the address is private')
  }
}

const resolveWithinMs = 2_000

/** Whether a name leads to a private address now. One that leads nowhere yet is judged when it is connected to. */
export function resolvesInward(text: string, environment: Environment): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const late = setTimeout(() => resolve(false), resolveWithinMs)
  guardedLookup(environment)(hostOf(new URL(text)), { all: true }, (error) =>
    resolve(error instanceof ForbiddenAddress),
  )
  return promise.finally(() => clearTimeout(late))
}

/** The IPv4 address that an IPv6 address only dresses up, as `::ffff:10.0.0.1` or `::ffff:a00:1` does. */
function mappedIn(address: string): string | undefined {
  if (!isIPv6(address)) return undefined
  const whole = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname
  const [, high, low] = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(whole) ?? []
  if (high === undefined || low === undefined) return undefined
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return `${a >> 8}.${a & 255}.${b >> 8}.${b & 255}`
}

const listOf = (...ranges: string[]): BlockList => {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    list.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4')
  }
  return list
}

const loopback = listOf('127.0.0.0/8', '::1/128')

/** The registries of special addresses (RFC 6890): private, shared by carriers, link-local, for documents, multicast. */
// oxfmt-ignore
const closed = listOf(
  '0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24',
  '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4',
  '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20',
)

/** All of IPv6 that is given out to the public; the rest is private, local or translated from something else. */
const open6 = listOf('2000::/3')
