// The frame around every page: navigation at the left, on a phone behind a button; the environment always visible.

import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { languages } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { IconButton, Kbd } from '../ui/button.tsx'
import { Icon } from '../ui/icons.tsx'
import { Empty, Skeleton } from '../ui/states.tsx'
import { useConnection } from './connection.ts'
import { useLiveUpdates } from './live-updates.ts'
import { AccountMenu, EnvironmentSwitch, Mark } from './menus.tsx'
import { Palette } from './palette.tsx'
import { groups, labelOf, needsOf, type Place, places } from './places.ts'

/** Two-step sign-in; loaded only by owners who must turn it on. */
const TwoStep = lazy(async () => ({ default: (await import('../account/two-step.tsx')).TwoStep }))

const table = {
  menu: ['Menu', 'Меню', 'Menyu'],
  search: ['Search', 'Поиск', 'Qidiruv'],
  skip: ['Skip to the content', 'К содержанию', 'Mazmunga o‘tish'],
  pages: ['Pages', 'Страницы', 'Sahifalar'],
  test: [
    'Test environment: nothing here reaches real buyers',
    'Тестовая среда: реальные покупатели этого не видят',
    'Sinov muhiti: haqiqiy xaridorlar buni ko‘rmaydi',
  ],
  offline: [
    'No connection to the server. Trying again…',
    'Нет связи с сервером. Повторяем…',
    'Server bilan aloqa yo‘q. Qayta urinilmoqda…',
  ],
  mustTurnOn: [
    'The owners of this shop need two-step sign-in. Turn it on to go on.',
    'Владельцам этого магазина нужен двухэтапный вход. Включите его, чтобы продолжить.',
    'Bu do‘kon egalariga ikki bosqichli kirish shart. Davom etish uchun uni yoqing.',
  ],
  notAllowed: [
    'This page is not part of your role',
    'Эта страница недоступна вашей роли',
    'Bu sahifa sizning rolingizga kirmaydi',
  ],
  notAllowedText: [
    'Ask an owner if you need it.',
    'Если она нужна, обратитесь к владельцу.',
    'Kerak bo‘lsa, egasiga murojaat qiling.',
  ],
} as const

export function Shell() {
  const t = useTexts(table)
  const { environment } = useSession()
  const path = useRouterState({ select: (it) => it.location.pathname })
  const [openAt, setOpenAt] = useState<string | null>(null)
  const [isSearching, setIsSearching] = useState(false)
  const isMenuOpen = openAt === path
  useLiveUpdates()
  usePaletteKey(() => setIsSearching(true))
  return (
    <div className="lg:pl-58">
      <a
        href="#content"
        className="no-print bg-surface fixed top-2 left-2 z-50 -translate-y-16 rounded-md px-3 py-2 focus:translate-y-0"
      >
        {t.skip}
      </a>
      <aside
        className={`no-print border-line bg-surface fixed inset-y-0 left-0 z-30 flex w-58 flex-col border-r transition-transform duration-150 max-lg:shadow-float ${isMenuOpen ? '' : 'max-lg:invisible max-lg:-translate-x-full'}`}
      >
        <SidebarHead onSearch={() => setIsSearching(true)} />
        <Navigation label={t.pages} />
        <div className="border-line border-t p-2">
          <AccountMenu />
        </div>
      </aside>
      {isMenuOpen && (
        <button
          type="button"
          aria-label={t.menu}
          className="fixed inset-0 z-20 bg-black/30 lg:hidden"
          onClick={() => setOpenAt(null)}
        />
      )}
      <header className="no-print border-line bg-surface sticky top-0 z-10 flex h-12 items-center gap-2 border-b px-2 lg:hidden">
        <IconButton
          icon="menu"
          label={t.menu}
          aria-expanded={isMenuOpen}
          onClick={() => setOpenAt(isMenuOpen ? null : path)}
        />
        <Mark size={22} />
        <span className="flex-1 font-semibold">Bozor</span>
        <EnvironmentSwitch />
        <IconButton icon="search" label={t.search} onClick={() => setIsSearching(true)} />
      </header>
      <Strips />
      <main id="content" key={environment} className="mx-auto max-w-310 px-4 py-5 sm:px-6">
        <Permitted path={path}>
          <Suspense fallback={<PageSkeleton />}>
            <Outlet />
          </Suspense>
        </Permitted>
      </main>
      {isSearching && <Palette onClose={() => setIsSearching(false)} />}
    </div>
  )
}

/** The test environment and a lost connection are shown on every page. */
function Strips() {
  const t = useTexts(table)
  const { environment } = useSession()
  const isConnected = useConnection()
  const strip = 'no-print px-4 py-1 text-center text-xs font-medium'
  return (
    <>
      {environment === 'test' && (
        <p role="status" className={`${strip} bg-warn-soft text-warn`}>
          {t.test}
        </p>
      )}
      {!isConnected && (
        <p role="status" className={`${strip} bg-bad-soft text-bad sticky top-0 z-10 max-lg:top-12`}>
          {t.offline}
        </p>
      )}
    </>
  )
}

const paletteKeys = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'

function SidebarHead({ onSearch }: { onSearch(): void }) {
  const t = useTexts(table)
  return (
    <div className="flex flex-col gap-2.5 p-3 pb-2">
      <div className="flex items-center gap-2.5">
        <Mark />
        <span className="text-base font-semibold tracking-tight">Bozor</span>
      </div>
      <EnvironmentSwitch />
      <button
        type="button"
        onClick={onSearch}
        className="border-line bg-canvas text-soft hover:border-strong flex h-8 items-center gap-2 rounded-md border px-2"
      >
        <Icon name="search" size={14} />
        <span className="flex-1 text-left">{t.search}</span>
        <Kbd text={paletteKeys} />
      </button>
    </div>
  )
}

function Navigation({ label }: { label: string }) {
  const { can, language } = useSession()
  const visible = places.filter((it) => !it.needs || can(it.needs))
  const box = useRef<HTMLElement>(null)
  const path = useRouterState({ select: (it) => it.location.pathname })
  // The list is longer than many windows: the place of the open page is always in view.
  useEffect(() => {
    // Its result, a promise in new browsers, is no clean-up of this effect.
    box.current?.querySelector('.active')?.scrollIntoView({ block: 'nearest' })
  }, [path])
  const link = (it: Place) => (
    <Link
      key={it.path}
      to={it.path}
      activeOptions={{ exact: it.path === '/' }}
      className="text-soft hover:bg-hover hover:text-ink flex h-7.5 items-center gap-2.5 rounded-md px-2 [&.active]:bg-hover [&.active]:text-ink [&.active]:font-medium"
    >
      <Icon name={it.icon} size={15} />
      <span className="truncate">{labelOf(it, language)}</span>
    </Link>
  )
  return (
    <nav ref={box} aria-label={label} className="flex-1 overflow-y-auto px-2 pb-4">
      {visible.filter((it) => it.group === 'top').map(link)}
      {Object.entries(groups).map(([group, row]) => {
        const members = visible.filter((it) => it.group === group)
        if (members.length === 0) return null
        return (
          <div key={group} className="mt-3.5">
            <p className="text-faint px-2 pb-1 text-2xs font-medium tracking-wide uppercase">
              {row[languages.indexOf(language)]}
            </p>
            {members.map(link)}
          </div>
        )
      })}
    </nav>
  )
}

/** Shown for a page that is not part of the member's role; the server refuses its calls too. */
function Permitted({ path, children }: { path: string; children: ReactNode }) {
  const t = useTexts(table)
  const { can, mustTurnOnTwoStep } = useSession()
  if (mustTurnOnTwoStep)
    return (
      <>
        <p role="alert" className="bg-warn-soft text-warn mb-4 rounded-md px-3 py-2">
          {t.mustTurnOn}
        </p>
        <h1 className="sr-only">{t.mustTurnOn}</h1>
        <TwoStep />
      </>
    )
  const needs = needsOf(path)
  if (needs && !can(needs))
    return <Empty icon="moderation" as="h1" title={t.notAllowed} text={t.notAllowedText} />
  return children
}

const PageSkeleton = () => (
  <div className="flex flex-col gap-4">
    <Skeleton className="h-7 w-48" />
    <Skeleton className="h-64 w-full" />
  </div>
)

function usePaletteKey(open: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      open()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
    // oxlint-disable-next-line react/exhaustive-deps -- `open` only sets a state
  }, [])
}
