// A campaign is built or changed here; beside the form is what it would do now.

import { useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { hourMs } from '../app/durations.ts'
import type { Campaign } from '../../../sdk/index.ts'
import { useNow } from '../app/clock.ts'
import { useAction, useData } from '../app/data.ts'
import { pathErrors } from '../app/field-errors.ts'
import { fillIn } from '../app/language.ts'
import { useTexts } from '../app/session.tsx'
import { Button } from '../ui/button.tsx'
import { Card, PageHead } from '../ui/card.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { Failure, Skeleton } from '../ui/states.tsx'
import { AudienceEditor } from './audience-editor.tsx'
import { builderTexts } from './builder-texts.ts'
import { DraftPreview, useDraftPreview } from './draft-preview.tsx'
import { type CampaignInput, firstTrigger, instantOf, localText } from './draft.ts'
import { channels } from './texts.ts'
import { TriggerEditor } from './trigger-editor.tsx'

export function Page() {
  const { id } = useParams({ strict: false }) as { id?: string }
  const now = useNow()
  const found = useData(
    ['campaigns', id, 'edit'],
    async (bozor) => (id ? (await bozor.campaigns.get({ campaign_id: id })).campaign : null),
    { isEnabled: id !== undefined },
  )
  if (found.error) return <Failure error={found.error} onRetry={() => void found.refetch()} />
  if (id && !found.data) return <Skeleton className="h-80 w-full" />
  const start = new Date(now() + hourMs).toISOString()
  return (
    <Builder
      key={id ?? 'new'}
      first={found.data ? inputOf(found.data) : newCampaign(start)}
      stored={found.data}
    />
  )
}

const newCampaign = (at: string): Input => ({
  name: '',
  channel: 'email',
  template: '',
  when: firstTrigger('at', at),
  audience: [],
  variables: {},
  holdout_percent: 10,
  repeat_days: 1,
  budget_messages: null,
  ends_at: null,
})

type Input = Required<
  Pick<
    CampaignInput,
    | 'name'
    | 'channel'
    | 'template'
    | 'when'
    | 'audience'
    | 'variables'
    | 'holdout_percent'
    | 'repeat_days'
    | 'budget_messages'
    | 'ends_at'
  >
>

const inputOf = (it: Campaign): Input => ({
  name: it.name,
  channel: it.channel,
  template: it.template,
  when: it.when,
  audience: it.audience,
  variables: it.variables,
  holdout_percent: it.holdout_percent,
  repeat_days: it.repeat_days,
  budget_messages: it.budget_messages,
  ends_at: it.ends_at,
})

/** What may still be changed after the start. */
const withoutFixed = ({ channel: _channel, when: _when, holdout_percent: _percent, ...rest }: Input) => rest

interface BuilderProps {
  first: Input
  stored: Campaign | null | undefined
}

function Builder({ first, stored }: BuilderProps) {
  const t = useTexts(builderTexts)
  const navigate = useNavigate()
  const [input, setInput] = useState(first)
  const change = (changes: Partial<Input>) => setInput((all) => ({ ...all, ...changes }))
  const isFixed = stored != null && stored.state !== 'draft'
  const { channel, template, when, audience, variables } = input
  const preview = useDraftPreview({ channel, when, audience, variables, ...(template && { template }) })
  const save = useAction(
    async (bozor) => {
      if (!stored) return (await bozor.campaigns.create(input)).campaign
      const changes = isFixed ? withoutFixed(input) : input
      return (await bozor.campaigns.update({ campaign_id: stored.id, ...changes })).campaign
    },
    {
      refreshes: ['campaigns'],
      done: t.saved,
      isQuiet: true,
      onDone: (it) => void navigate({ to: `/campaigns/${it.id}` }),
    },
  )
  const errors = pathErrors(save.error)
  const errorAt = (field: string) => errors.find(([path]) => path.split('.')[0] === field)?.[1]
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(undefined)
  }
  const shared = { input, change, isFixed, errorAt }
  return (
    <>
      <PageHead title={stored ? t.editing : t.create} {...(isFixed && { text: t.fixed })} />
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <form onSubmit={onSubmit} noValidate className="flex min-w-0 flex-col gap-4">
          <MessageCard {...shared} missing={preview.data?.missing_variables ?? []} />
          <Card title={t.who}>
            <AudienceEditor
              audience={audience}
              errors={[...errors, ...pathErrors(preview.error)]}
              onChange={(it) => change({ audience: it })}
            />
          </Card>
          <Card title={t.when}>
            <TriggerEditor
              when={when}
              isFixed={isFixed}
              error={errorAt('when')}
              onChange={(it) => change({ when: it })}
            />
          </Card>
          <RulesCard {...shared} />
          {save.error && errors.length === 0 && (
            <p role="alert" className="bg-bad-soft text-bad rounded-md px-3 py-2">
              {save.error.message}
            </p>
          )}
          <Button type="submit" look="primary" className="self-end" isBusy={save.isPending}>
            {stored ? t.saveChanges : t.save}
          </Button>
        </form>
        <DraftPreview preview={preview} holdoutPercent={input.holdout_percent} />
      </div>
    </>
  )
}

interface PartProps {
  input: Input
  change(changes: Partial<Input>): void
  isFixed: boolean
  errorAt(field: string): string | undefined
}

const custom = 'custom.'

function MessageCard({ input, change, isFixed, errorAt, missing }: PartProps & { missing: string[] }) {
  const t = useTexts(builderTexts)
  const templates = useData(['templates', 'choices', input.channel], (bozor) =>
    bozor.templates.list({ channel: input.channel, per_page: 100 }),
  )
  const usable = (templates.data?.items ?? []).filter((it) => it.is_active)
  const own = missing.filter((it) => it.startsWith(custom)).map((it) => it.slice(custom.length))
  const names = [...new Set([...Object.keys(input.variables), ...own])]
  return (
    <Card title={t.message}>
      <div className="grid gap-3 sm:grid-cols-2">
        <div className="sm:col-span-2">
          <TextField
            label={t.name}
            value={input.name}
            error={errorAt('name')}
            onChange={(event) => change({ name: event.target.value })}
          />
        </div>
        <SelectField
          label={t.channel}
          value={input.channel}
          disabled={isFixed}
          error={errorAt('channel')}
          choices={channels.map((it) => [it, t[it]] as const)}
          onChange={(event) => change({ channel: event.target.value as Input['channel'], template: '' })}
        />
        <SelectField
          label={t.template}
          value={input.template}
          error={errorAt('template')}
          choices={[['', t.choose], ...usable.map((it) => [it.slug, it.description || it.slug] as const)]}
          onChange={(event) => change({ template: event.target.value })}
        />
        {names.map((name) => (
          <TextField
            key={name}
            label={fillIn(t.custom, { name })}
            value={String(input.variables[name] ?? '')}
            onChange={(event) => change({ variables: { ...input.variables, [name]: event.target.value } })}
          />
        ))}
      </div>
    </Card>
  )
}

function RulesCard({ input, change, isFixed, errorAt }: PartProps) {
  const t = useTexts(builderTexts)
  const orNull = (text: string) => (text === '' ? null : Number(text))
  return (
    <Card title={t.rules}>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label={t.holdout}
          hint={t.holdoutHint}
          type="number"
          disabled={isFixed}
          value={String(input.holdout_percent)}
          error={errorAt('holdout_percent')}
          onChange={(event) => change({ holdout_percent: Number(event.target.value) })}
        />
        <TextField
          label={t.repeat}
          type="number"
          placeholder={t.none}
          value={String(input.repeat_days ?? '')}
          error={errorAt('repeat_days')}
          onChange={(event) => change({ repeat_days: orNull(event.target.value) })}
        />
        <TextField
          label={t.budget}
          type="number"
          placeholder={t.none}
          value={String(input.budget_messages ?? '')}
          error={errorAt('budget_messages')}
          onChange={(event) => change({ budget_messages: orNull(event.target.value) })}
        />
        <TextField
          label={t.ends}
          type="datetime-local"
          value={localText(input.ends_at ?? undefined)}
          error={errorAt('ends_at')}
          onChange={(event) => change({ ends_at: instantOf(event.target.value) || null })}
        />
      </div>
    </Card>
  )
}
