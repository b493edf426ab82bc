// Protection against server-side request forgery (faults E10). A URL is checked when it is registered and again at every
// connection after its name is resolved, because a name can change its addresses.

import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns'
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net'
/** What may be connected to on behalf of callers. Private addresses other than loopback are never reached. */
export interface AddressPolicy {
  requiresHttps: boolean
  allowsLoopback: boolean
}

export type AddressFault = 'https_required' | 'credentials' | 'private_address' | 'format'

/** What is wrong with a URL as written; undefined when nothing is visible without resolving its name. */
export function urlFault(text: string, policy: AddressPolicy): AddressFault | undefined {
  if (!URL.canParse(text)) return 'format'
  const url = new URL(text)
  if (!['http:', 'https:'].includes(url.protocol) || url.hostname === '') return 'format'
  if (url.username !== '' || url.password !== '') return 'credentials'
  if (url.protocol === 'http:' && policy.requiresHttps) return 'https_required'
  const host = connectHostOf(url)
  return isIP(host) && !mayReach(host, policy) ? 'private_address' : undefined
}

/** The host to connect to: an IPv6 address without brackets. */
export const connectHostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

export function mayReach(
  address: string,
  { allowsLoopback }: Pick<AddressPolicy, 'allowsLoopback'>,
): boolean {
  const plain = mappedIn(address) ?? address
  if (isIP(plain) === 0) return false
  const family = isIPv6(plain) ? 'ipv6' : 'ipv4'
  if (loopback.check(plain, family)) return allowsLoopback
  return family === 'ipv4'
    ? !closed.check(plain, family)
    : open6.check(plain, family) && !closed.check(plain, family)
}

/** Resolves a name; the system's resolver by default. */
export type Resolve = (
  host: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void

/** Resolves a name and fails when any of its addresses must not be reached. */
export function restrictedLookup(policy: AddressPolicy, resolve: Resolve = lookup): LookupFunction {
  const resolveShared = sharedResolve(resolve)
  return (host, options, done) =>
    resolveShared(host, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '', 0)
      const bad = found.find(({ address }) => !mayReach(address, policy))
      if (bad || found.length === 0) return done(new ForbiddenAddress(), '', 0)
      if (options.all) return done(null, found)
      done(null, found[0]!.address, found[0]!.family)
    })
}

/**
 * Concurrent lookups of a name share one query. Node resolves few names at once, so a name server that does not respond
 * would delay all other names.
 */
function sharedResolve(resolve: Resolve): Resolve {
  const pending = new Map<string, Parameters<Resolve>[2][]>()
  return (host, options, done) => {
    const key = JSON.stringify([host, options])
    const waiting = pending.get(key)
    if (waiting) return void waiting.push(done)
    const all = [done]
    pending.set(key, all)
    resolve(host, options, (error, found) => {
      pending.delete(key)
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

/** Whether a name resolves to a private address now. A name that does not resolve yet is checked at the connection. */
export function resolvesToPrivateAddress(text: string, policy: AddressPolicy): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const late = setTimeout(() => resolve(false), resolveWithinMs)
  restrictedLookup(policy)(connectHostOf(new URL(text)), { all: true }, (error) =>
    resolve(error instanceof ForbiddenAddress),
  )
  return promise.finally(() => clearTimeout(late))
}

/** The IPv4 address inside an IPv4-mapped IPv6 address, such as `::ffff:10.0.0.1` or `::ffff:a00:1`. */
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
