import { Link } from '@tanstack/react-router'
import { useTexts } from '../app/session.tsx'
import { Empty } from '../ui/states.tsx'

const table = {
  title: ['There is no such page', 'Такой страницы нет', 'Bunday sahifa yo‘q'],
  home: ['Go to the home page', 'На главную', 'Bosh sahifaga'],
} as const

export function Missing() {
  const t = useTexts(table)
  return (
    <Empty icon="search" as="h1" title={t.title}>
      <Link to="/" className="text-accent font-medium">
        {t.home}
      </Link>
    </Empty>
  )
}
