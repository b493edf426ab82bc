import { type Language, languageNames, languages } from '../app/language.ts'
import { type Theme, usePreferences, useSession, useTexts } from '../app/session.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icons.tsx'
import { Menu } from '../ui/menu.tsx'

const table = {
  theme: ['Theme', 'Тема', 'Mavzu'],
  light: ['Light', 'Светлая', 'Yorug‘'],
  dark: ['Dark', 'Тёмная', 'Qorong‘i'],
  system: ['As the system', 'Как в системе', 'Tizimdagidek'],
  language: ['Language', 'Язык', 'Til'],
  signOut: ['Sign out', 'Выйти', 'Chiqish'],
  owner: ['Owner', 'Владелец', 'Ega'],
  developer: ['Developer', 'Разработчик', 'Dasturchi'],
  operator: ['Operator', 'Оператор', 'Operator'],
  analyst: ['Analyst', 'Аналитик', 'Tahlilchi'],
  environment: ['Environment', 'Среда', 'Muhit'],
  live: ['Live', 'Боевая', 'Jonli'],
  test: ['Test', 'Тестовая', 'Sinov'],
} as const

/** The logo of the product. */
export const Mark = ({ size = 24 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" className="shrink-0">
    <rect width="24" height="24" rx="6" className="fill-accent" />
    <path
      d="M5 10.5 7 6h10l2 4.5M6.5 11v7h11v-7M5 10.5a2.3 2.3 0 0 0 4.6 0 2.3 2.3 0 0 0 4.7 0 2.3 2.3 0 0 0 4.7 0"
      fill="none"
      className="stroke-on-accent"
      strokeWidth="1.5"
      strokeLinejoin="round"
      strokeLinecap="round"
    />
  </svg>
)

export function LanguageMenu() {
  const t = useTexts(table)
  const { language, setLanguage } = usePreferences()
  return (
    <Menu
      align="start"
      button={
        <Button look="ghost" aria-label={t.language}>
          {languageNames[language]}
          <Icon name="down" size={12} />
        </Button>
      }
      groups={[{ items: languageItems(language, setLanguage) }]}
    />
  )
}

const languageItems = (chosen: Language, choose: (language: Language) => void) =>
  languages.map((it) => ({ label: languageNames[it], isChecked: it === chosen, onSelect: () => choose(it) }))

export function ThemeMenu() {
  const t = useTexts(table)
  const { theme, setTheme } = usePreferences()
  const items = (['light', 'dark', 'system'] as const satisfies Theme[]).map((it) => ({
    label: t[it],
    isChecked: it === theme,
    onSelect: () => setTheme(it),
  }))
  return <Menu align="start" button={<IconButton icon="sun" label={t.theme} />} groups={[{ items }]} />
}

export function AccountMenu() {
  const t = useTexts(table)
  const { member, signOut, language, setLanguage, theme, setTheme } = useSession()
  const initials = member.name
    .split(/[\s@.]+/)
    .map((it) => it[0] ?? '')
    .join('')
    .slice(0, 2)
    .toUpperCase()
  const themes = (['light', 'dark', 'system'] as const).map((it) => ({
    label: t[it],
    isChecked: it === theme,
    onSelect: () => setTheme(it),
  }))
  return (
    <Menu
      align="start"
      button={
        <button
          type="button"
          className="hover:bg-hover flex w-full min-w-0 items-center gap-2.5 rounded-md p-1.5 text-left"
        >
          <span className="bg-accent-soft text-accent grid size-7 shrink-0 place-items-center rounded-full text-xs font-semibold">
            {initials}
          </span>
          <span className="min-w-0 flex-1 leading-tight">
            <span className="block truncate font-medium">{member.name}</span>
            <span className="text-soft block truncate text-xs">{t[member.role]}</span>
          </span>
        </button>
      }
      groups={[
        { label: t.language, items: languageItems(language, setLanguage) },
        { label: t.theme, items: themes },
        { items: [{ label: t.signOut, icon: 'external', onSelect: () => void signOut() }] },
      ]}
    />
  )
}

/** Which environment the member acts in. Its colour is on every page. */
export function EnvironmentSwitch() {
  const t = useTexts(table)
  const { environment, setEnvironment } = useSession()
  return (
    <div
      role="group"
      aria-label={t.environment}
      className="border-line bg-canvas flex rounded-md border p-0.5"
    >
      {(['test', 'live'] as const).map((it) => {
        const isChosen = it === environment
        const look = isChosen
          ? it === 'test'
            ? 'bg-warn-soft text-warn shadow-raised'
            : 'bg-good-soft text-good shadow-raised'
          : 'text-soft hover:text-ink'
        return (
          <button
            key={it}
            type="button"
            aria-pressed={isChosen}
            onClick={() => setEnvironment(it)}
            className={`flex h-6 flex-1 items-center justify-center gap-1.5 rounded px-2 text-xs font-medium ${look}`}
          >
            {isChosen && <span className="size-1.5 rounded-full bg-current" aria-hidden="true" />}
            {t[it]}
          </button>
        )
      })}
    </div>
  )
}
