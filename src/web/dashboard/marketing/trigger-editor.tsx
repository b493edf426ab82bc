// When a campaign sends: a date, a schedule in plain words, or something that happens to a client.

import { useData } from '../app/data.ts'
import { languages, type Texts } from '../app/language.ts'
import { useNow } from '../app/clock.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { builderTexts, weekdays } from './builder-texts.ts'
import {
  cronOf,
  firstTrigger,
  instantOf,
  localText,
  scheduleOf,
  type Trigger,
  type TriggerForm,
  triggerFormOf,
  triggerForms,
} from './draft.ts'

interface TriggerProps {
  when: Trigger
  isFixed: boolean
  error: string | undefined
  onChange(when: Trigger): void
}

const soonMs = 3_600_000

export const triggerNames = (t: Texts<typeof builderTexts>): Record<TriggerForm, string> => ({
  at: t.at,
  daily: t.daily,
  weekly: t.weekly,
  cron: t.cron,
  cart_abandoned: t.onCart,
  wishlist_cheaper: t.onCheaper,
  wishlist_back_in_stock: t.onStock,
  order_delivered: t.order_delivered,
  promotion_started: t.promotion_started,
})

export function TriggerEditor({ when, isFixed, error, onChange }: TriggerProps) {
  const t = useTexts(builderTexts)
  const now = useNow()
  const form = triggerFormOf(when)
  const names = triggerNames(t)
  return (
    <fieldset disabled={isFixed} className="grid gap-3 sm:grid-cols-2">
      <SelectField
        label={t.start}
        value={form}
        error={error}
        choices={triggerForms.map((it) => [it, names[it]] as const)}
        onChange={(event) => {
          const at = new Date(now() + soonMs).toISOString()
          onChange(firstTrigger(event.target.value as TriggerForm, at))
        }}
      />
      <TriggerFields form={form} when={when} onChange={onChange} />
    </fieldset>
  )
}

interface FieldsProps {
  form: TriggerForm
  when: Trigger
  onChange(when: Trigger): void
}

function TriggerFields({ form, when, onChange }: FieldsProps) {
  const t = useTexts(builderTexts)
  const number = (label: string, value: number | undefined, set: (value: number) => Trigger) => (
    <TextField
      label={label}
      type="number"
      value={String(value ?? '')}
      onChange={(event) => onChange(set(Number(event.target.value)))}
    />
  )
  if (form === 'at')
    return (
      <TextField
        label={t.date}
        type="datetime-local"
        value={localText(when.at)}
        onChange={(event) => onChange({ at: instantOf(event.target.value) })}
      />
    )
  if (form === 'daily' || form === 'weekly') return <ScheduleFields {...{ form, when, onChange }} />
  if (form === 'cron')
    return (
      <TextField
        label={t.expression}
        value={when.cron ?? ''}
        onChange={(event) => onChange({ cron: event.target.value })}
      />
    )
  if (form === 'cart_abandoned') {
    const unit = when.cart_abandoned?.hours === undefined ? 'days' : 'hours'
    return number(t[unit], when.cart_abandoned?.[unit], (it) => ({ cart_abandoned: { [unit]: it } }))
  }
  if (form === 'wishlist_cheaper')
    return number(t.percent, when.wishlist_cheaper?.percent, (percent) => ({ wishlist_cheaper: { percent } }))
  if (form === 'order_delivered')
    return number(t.days, when.order_delivered?.days, (days) => ({ order_delivered: { days } }))
  if (form === 'promotion_started') return <PromotionField {...{ when, onChange }} />
  return null
}

function ScheduleFields({ form, when, onChange }: FieldsProps & { form: 'daily' | 'weekly' }) {
  const t = useTexts(builderTexts)
  const { language } = useSession()
  const schedule = scheduleOf(when.cron)
  const set = (changes: Partial<typeof schedule>) =>
    onChange({ cron: cronOf(form, { ...schedule, ...changes }) })
  return (
    <div className="flex gap-3">
      {form === 'weekly' && (
        <SelectField
          label={t.weekday}
          value={String(schedule.weekday)}
          choices={weekdays.map((row, at) => [String(at + 1), row[languages.indexOf(language)]!] as const)}
          onChange={(event) => set({ weekday: Number(event.target.value) })}
        />
      )}
      <TextField
        label={t.time}
        type="time"
        value={schedule.time}
        onChange={(event) => event.target.value && set({ time: event.target.value })}
      />
    </div>
  )
}

function PromotionField({ when, onChange }: Pick<FieldsProps, 'when' | 'onChange'>) {
  const t = useTexts(builderTexts)
  const promotions = useData(['promotions', 'choices'], (bozor) =>
    bozor.promotions.list({ sort: '-starts_at', per_page: 50 }),
  )
  const coming = (promotions.data?.items ?? []).filter((it) => it.status === 'scheduled')
  return (
    <SelectField
      label={t.promotion}
      value={when.promotion_started?.promotion ?? ''}
      choices={[['', t.anyPromotion], ...coming.map((it) => [it.id, it.title] as const)]}
      onChange={(event) =>
        onChange({ promotion_started: event.target.value ? { promotion: event.target.value } : {} })
      }
    />
  )
}
