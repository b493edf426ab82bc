import { useTexts } from '../app/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { type StatusName, statusTexts, toneOf } from './texts.ts'

export function Status({ value }: { value: StatusName }) {
  const t = useTexts(statusTexts)
  return <Badge text={t[value]} tone={toneOf(value)} />
}
