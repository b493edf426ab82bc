// How the values of variables are read from text: each returns undefined for an invalid value.

import { isIP } from 'node:net'
import { isQuartz } from './cron.ts'
import type { Level } from './log.ts'

export const wholeNumber =
  (from: number, to: number) =>
  (text: string): number | undefined =>
    /^\d+$/.test(text) && Number(text) >= from && Number(text) <= to ? Number(text) : undefined

export const share = (text: string): number | undefined =>
  /^(0|1|0?\.\d{1,6}|1\.0+)$/.test(text) ? Number(text) : undefined

export const regionName = (text: string): string | undefined =>
  /^[a-z0-9-]{1,40}$/.test(text) ? text : undefined

export const hostName = (text: string): string | undefined =>
  isIP(text) || /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(text) ? text : undefined

export const quartz = (text: string): string | undefined => (isQuartz(text) ? text : undefined)

export const oneOf =
  <const T extends string>(...choices: T[]) =>
  (text: string): T | undefined =>
    choices.find((it) => it === text)

export const trueOrFalse = (text: string): boolean | undefined =>
  text === 'true' ? true : text === 'false' ? false : undefined

export const level = (text: string): Level | undefined =>
  (['debug', 'info', 'warn', 'error', 'silent'] as const).find((it) => it === text)

export const dateOf = (text: string): Date | undefined =>
  /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/.test(text) && !Number.isNaN(Date.parse(text)) ? new Date(text) : undefined

export const urlOf =
  (...protocols: string[]) =>
  (text: string): string | undefined =>
    URL.canParse(text) && protocols.includes(new URL(text).protocol) ? text : undefined

/** A path that needs no quoting in a shell. */
export const absolutePath = (text: string): string | undefined =>
  /^\/[^"'`$\\\r\n]{0,500}$/.test(text) ? text : undefined

export const visible = (text: string): string | undefined => (/^[!-~]{1,1000}$/.test(text) ? text : undefined)

/** A Standard Webhooks secret. */
export const signingSecret = (text: string): string | undefined =>
  /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(text) ? text : undefined

/** `address` or `Name <address>` on one line. */
export const mailbox = (text: string): string | undefined =>
  /^([^<>@"\r\n]{1,100} )?<?[^\s<>@",;]{1,64}@[^\s<>@",;]{1,190}>?$/.test(text) &&
  text.includes('<') === text.endsWith('>')
    ? text
    : undefined

/** One URL, or several separated by commas. */
export const urlsOf =
  (...protocols: string[]) =>
  (text: string): string | undefined =>
    text.split(',').every((it) => urlOf(...protocols)(it.trim())) ? text : undefined

export const origin = (text: string): string | undefined =>
  URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol) && new URL(text).pathname === '/'
    ? new URL(text).origin
    : undefined

export const addresses = (text: string): string[] | undefined => {
  const all = text.split(',').map((it) => it.trim())
  const good = all.every((it) => {
    const [address = '', bits = '0', ...rest] = it.split('/')
    const mostBits = isIP(address) === 6 ? 128 : 32
    return isIP(address) > 0 && rest.length === 0 && wholeNumber(0, mostBits)(bits) !== undefined
  })
  return good ? all : undefined
}

/** The zone's name if this system knows it. */
export function zoneName(text: string): string | undefined {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(text)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone && text
  } catch {
    return undefined
  }
}
