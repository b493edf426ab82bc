// What is wrong with a form, in words beside the fields.

import { Refusal } from '../../base/refusal.ts'
import type { Language } from '../../http/language.ts'
import type { JoinField } from './join-page.ts'
import type { SignUpField } from './sign-up-page.ts'
import { filled, words } from './words.ts'

export interface Problems {
  status: number
  problem?: string
  problems?: Partial<Record<SignUpField | JoinField, string>>
}

type Said = (typeof words)[Language]
type Broken = { path: string; rule: string }

/** A refusal of the API as the form says it; anything else is no matter of a form and goes on. */
export function problemsOf(error: unknown, language: Language): Problems {
  const said = words[language]
  if (!(error instanceof Refusal)) throw error
  if (error.code === 'unauthorized') return { status: 401, problem: said.wrong }
  if (error.code === 'rate_limit_exceeded') {
    const minutes = Math.ceil(Number(error.details['retry_after']) / 60)
    return { status: 429, problem: filled(said.tooOften, { minutes }) }
  }
  if (error.code !== 'validation_failed') throw error
  const problems: Problems['problems'] = {}
  for (const it of error.details['fields'] as Broken[])
    problems[it.path as SignUpField | JoinField] ??= sentence(it, said)
  return { status: 422, problems }
}

function sentence({ path, rule }: Broken, said: Said): string {
  if (rule === 'taken') return said.taken
  if (path === 'phone') return rule === 'required' ? said.needContact : said.badPhone
  if (path === 'email') return said.badEmail
  if (path === 'token') return said.badInvitation
  if (path === 'name') return rule === 'max_length' ? said.longName : said.needName
  return { min_length: said.shortPassword, max_length: said.longPassword }[rule] ?? said.easyPassword
}
