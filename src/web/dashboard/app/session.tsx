// Who is signed in, in which environment and language, and the client that calls the API for them.

import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react'
import { type Bozor, BozorError, createBozor, type Operations } from '../../../sdk/index.ts'
import type { Scope } from './scope.ts'
import { type Language, languages, type Rows, type Texts, textsIn } from './language.ts'

type Me = Operations['members.getMe']['reply']
export type Environment = Me['environment']
export type Theme = 'light' | 'dark' | 'system'

export interface Preferences {
  language: Language
  setLanguage(language: Language): void
  theme: Theme
  setTheme(theme: Theme): void
  environment: Environment
  setEnvironment(environment: Environment): void
}

export interface Session extends Preferences {
  member: Me['member']
  scopes: ReadonlySet<Scope>
  /** The owners demand two-step sign-in, and the member has none yet. */
  mustTurnOnTwoStep: boolean
  /** Whether the role has the scope; `owner` is the role itself. */
  can(what: Scope | 'owner'): boolean
  bozor: Bozor
  signOut(): Promise<void>
}

const PreferencesContext = createContext<Preferences | null>(null)
const SessionContext = createContext<Session | null>(null)

export function usePreferences(): Preferences {
  const preferences = use(PreferencesContext)
  if (!preferences) throw new Error('no preferences above')
  return preferences
}

export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('no session above')
  return session
}

export const useTexts = <Table extends Rows>(table: Table): Texts<Table> => {
  const { language } = usePreferences()
  return useMemo(() => textsIn(table, language), [table, language])
}

const stored = (name: string): string | null => localStorage.getItem(`bozor.${name}`)
const store = (name: string, value: string): void => localStorage.setItem(`bozor.${name}`, value)

function firstLanguage(): Language {
  const wanted = [stored('language'), ...navigator.languages.map((it) => it.slice(0, 2))]
  return languages.find((it) => wanted.find((other) => languages.includes(other as Language)) === it) ?? 'en'
}

const yearSeconds = 31_536_000

function applyTheme(theme: Theme): void {
  const root = document.documentElement
  if (theme === 'system') delete root.dataset['theme']
  else root.dataset['theme'] = theme
  const age = theme === 'system' ? 0 : yearSeconds
  document.cookie = `bozor_theme=${theme}; path=/; max-age=${age}; samesite=lax`
}

export function PreferencesProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState<Language>(firstLanguage)
  const [theme, setTheme] = useState<Theme>(() => (stored('theme') as Theme | null) ?? 'system')
  const [environment, setEnvironment] = useState<Environment>(() =>
    stored('environment') === 'live' ? 'live' : 'test',
  )
  useEffect(() => {
    document.documentElement.lang = language
    store('language', language)
  }, [language])
  useEffect(() => {
    applyTheme(theme)
    store('theme', theme)
  }, [theme])
  useEffect(() => store('environment', environment), [environment])
  const value = useMemo(
    () => ({ language, setLanguage, theme, setTheme, environment, setEnvironment }),
    [language, theme, environment],
  )
  return <PreferencesContext value={value}>{children}</PreferencesContext>
}

/**
 * A client for the member's cookie. Writes carry the CSRF token too: a proxy may hide from the server that the page is its
 * own. The time zone of the browser is not sent, so that reports end at the shop's today.
 */
export const clientFor = (
  language: Language,
  environment?: Environment,
  options: { maxRetries?: number; timeoutMs?: number } = {},
): Bozor =>
  createBozor({
    ...options,
    baseUrl: location.origin,
    credentials: 'same-origin',
    csrfToken: stored('csrf-token'),
    onCsrfToken: (token) => store('csrf-token', token),
    language,
    ...(environment && { environment }),
  })

/** The reference at /docs offers a test key to a browser with this mark; the cookie is not visible to scripts. */
const signedInMark = 'bozor.signed-in'

export const meKey: QueryKey = ['me']

/** What one member has read is not for the next one. */
export const forgetData = (queries: QueryClient): void =>
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== meKey[0] })

/** The signed-in member, or null. */
export async function loadMe(language: Language): Promise<Me | null> {
  try {
    return await clientFor(language).members.getMe()
  } catch (error) {
    if (!(error instanceof BozorError && error.status === 401)) throw error
    localStorage.removeItem(signedInMark)
    return null
  }
}

export function SessionProvider({ me, children }: { me: Me; children: ReactNode }) {
  const preferences = usePreferences()
  const queries = useQueryClient()
  const { language, environment } = preferences
  const bozor = useMemo(() => clientFor(language, environment), [language, environment])
  useEffect(() => localStorage.setItem(signedInMark, 'true'), [])
  const signOut = useCallback(async () => {
    await bozor.memberSessions.deleteCurrent()
    // The test key that the reference took over from this tab.
    sessionStorage.removeItem('bozor-key')
    localStorage.removeItem(signedInMark)
    forgetData(queries)
    queries.setQueryData(meKey, null)
  }, [bozor, queries])
  const session = useMemo<Session>(() => {
    const scopes = new Set(me.scopes)
    return {
      ...preferences,
      member: me.member,
      scopes,
      mustTurnOnTwoStep: me.must_turn_on_two_step,
      can: (what) =>
        what === 'owner' ? me.member.role === 'owner' && !me.must_turn_on_two_step : scopes.has(what),
      bozor,
      signOut,
    }
  }, [preferences, me, bozor, signOut])
  return <SessionContext value={session}>{children}</SessionContext>
}
