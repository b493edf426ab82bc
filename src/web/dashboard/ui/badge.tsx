export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info' | 'accent'

const tones: Record<Tone, string> = {
  neutral: 'bg-line text-soft',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  info: 'bg-info-soft text-info',
  accent: 'bg-accent-soft text-accent',
}

export const Badge = ({
  text,
  tone = 'neutral',
  isPlain,
}: {
  text: string
  tone?: Tone
  isPlain?: boolean
}) => (
  <span
    className={`inline-flex h-5 items-center gap-1.5 rounded-full px-2 text-xs font-medium whitespace-nowrap ${tones[tone]}`}
  >
    {!isPlain && <span className="size-1.5 rounded-full bg-current" aria-hidden="true" />}
    {text}
  </span>
)
