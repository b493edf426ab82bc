// The clock of the test environment: moved forward to see what happens later, such as an abandoned cart.

import { useAction, useData } from '../app/data.ts'
import { dateTime } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Button } from '../ui/button.tsx'
import { Card, PageHead } from '../ui/card.tsx'
import { Empty, Failure, Skeleton } from '../ui/states.tsx'

const table = {
  title: ['Test clock', 'Тестовые часы', 'Sinov soati'],
  text: [
    'Moves the time of the test environment, with its jobs: carts expire, payments fall due, campaigns start.',
    'Двигает время тестовой среды вместе с заданиями: истекают корзины, наступают платежи, стартуют рассылки.',
    'Sinov muhiti vaqtini vazifalari bilan suradi: savatlar eskiradi, to‘lov muddati keladi, kampaniyalar boshlanadi.',
  ],
  now: ['Time in the test environment', 'Время в тестовой среде', 'Sinov muhitidagi vaqt'],
  real: ['Real time', 'Настоящее время', 'Haqiqiy vaqt'],
  hour: ['+1 hour', '+1 час', '+1 soat'],
  day: ['+1 day', '+1 день', '+1 kun'],
  week: ['+1 week', '+1 неделя', '+1 hafta'],
  month: ['+30 days', '+30 дней', '+30 kun'],
  reset: ['Back to real time', 'Вернуть настоящее время', 'Haqiqiy vaqtga qaytish'],
  moved: ['The clock has moved', 'Часы переведены', 'Soat surildi'],
  onlyTest: [
    'The live environment has the real time',
    'В боевой среде время настоящее',
    'Jonli muhitda vaqt haqiqiy',
  ],
  onlyTestText: [
    'Switch to the test environment to move its clock.',
    'Перейдите в тестовую среду, чтобы двигать часы.',
    'Soatni surish uchun sinov muhitiga o‘ting.',
  ],
} as const

const steps = { hour: 'PT1H', day: 'P1D', week: 'P7D', month: 'P30D' } as const

export function Page() {
  const t = useTexts(table)
  const { environment, setEnvironment } = useSession()
  return (
    <>
      <PageHead title={t.title} text={t.text} />
      {environment === 'live' ? (
        <Card>
          <Empty icon="clock" title={t.onlyTest} text={t.onlyTestText}>
            <Button look="primary" onClick={() => setEnvironment('test')}>
              {t.onlyTestText}
            </Button>
          </Empty>
        </Card>
      ) : (
        <Clock />
      )}
    </>
  )
}

function Clock() {
  const t = useTexts(table)
  const { language } = useSession()
  const clock = useData(['clock'], async (bozor) => (await bozor.testClock.get()).clock)
  const advance = useAction((bozor, advance: string) => bozor.testClock.advance({ advance }), {
    refreshes: ['clock', 'home', 'orders'],
    done: t.moved,
  })
  const reset = useAction((bozor) => bozor.testClock.reset(), {
    refreshes: ['clock', 'home', 'orders'],
    done: t.moved,
  })
  if (clock.error) return <Failure error={clock.error} onRetry={() => void clock.refetch()} />
  if (!clock.data) return <Skeleton className="h-40" />
  const isBusy = advance.isPending || reset.isPending
  return (
    <Card>
      <p className="text-soft">{t.now}</p>
      <p className="figures mt-1 text-3xl font-semibold tracking-tight">
        {dateTime(clock.data.now, language)}
      </p>
      <p className="text-faint figures mt-1">
        {t.real}: {dateTime(new Date().toISOString(), language)}
      </p>
      <div className="mt-5 flex flex-wrap gap-2">
        {(Object.keys(steps) as (keyof typeof steps)[]).map((it) => (
          <Button
            key={it}
            look={it === 'day' ? 'primary' : 'secondary'}
            isBusy={isBusy}
            onClick={() => advance.mutate(steps[it])}
          >
            {t[it]}
          </Button>
        ))}
        {clock.data.offset_seconds > 0 && (
          <Button look="danger" isBusy={isBusy} onClick={() => reset.mutate(undefined)}>
            {t.reset}
          </Button>
        )}
      </div>
    </Card>
  )
}
