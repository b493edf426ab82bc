// The conditions of an audience, one in a row.

import { languageNames, languages } from '../app/language.ts'
import { useTexts } from '../app/session.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { CheckField, SelectField, TextField } from '../ui/field.tsx'
import { builderTexts } from './builder-texts.ts'
import {
  type Clause,
  clauseOf,
  type Condition,
  type ConditionFields,
  conditionForms,
  type ConditionKind,
  conditionKinds,
  conditionOf,
  type FieldKind,
  type Thing,
  thingOf,
  things,
  withThing,
} from './draft.ts'

interface AudienceProps {
  audience: readonly Clause[]
  onChange(audience: Clause[]): void
  /** What the server refuses, by path, such as `audience.0.bought.category`. */
  errors: readonly [path: string, message: string][]
}

export function AudienceEditor({ audience, onChange, errors }: AudienceProps) {
  const t = useTexts(builderTexts)
  const replace = (at: number, it: Condition) =>
    onChange(audience.map((old, index) => (index === at ? clauseOf(it) : old)))
  const first = { kind: 'ordered', fields: conditionForms.ordered.first, isNegated: false } as const
  return (
    <div className="flex flex-col gap-3">
      <p className="text-soft">{t.whoText}</p>
      {audience.length === 0 && <p className="font-medium">{t.everyone}</p>}
      <ul className="flex flex-col gap-3">
        {audience.map((clause, at) => (
          <ConditionRow
            // oxlint-disable-next-line react/no-array-index-key -- a condition has no other name than its place
            key={at}
            condition={conditionOf(clause)}
            error={errors.find(([path]) => path.startsWith(`audience.${at}.`))?.[1]}
            onChange={(it) => replace(at, it)}
            onRemove={() => onChange(audience.filter((_, index) => index !== at))}
          />
        ))}
      </ul>
      <Button icon="plus" className="self-start" onClick={() => onChange([...audience, clauseOf(first)])}>
        {t.addCondition}
      </Button>
    </div>
  )
}

interface RowProps {
  condition: Condition
  error: string | undefined
  onChange(condition: Condition): void
  onRemove(): void
}

function ConditionRow({ condition, error, onChange, onRemove }: RowProps) {
  const t = useTexts(builderTexts)
  const { kind, fields, isNegated } = condition
  const change = (changed: ConditionFields) => onChange({ ...condition, fields: changed })
  return (
    <li className="border-line bg-canvas rounded-lg border p-3">
      <div className="flex items-end gap-2">
        <div className="grid min-w-0 flex-1 grid-cols-[7rem_minmax(0,1fr)] gap-2">
          <SelectField
            label={t.holds}
            value={isNegated ? 'not' : ''}
            choices={[
              ['', t.must],
              ['not', t.mustNot],
            ]}
            onChange={(event) => onChange({ ...condition, isNegated: event.target.value === 'not' })}
          />
          <SelectField
            label={t.condition}
            value={kind}
            error={error}
            choices={conditionKinds.map((it) => [it, t[it]] as const)}
            onChange={(event) => {
              const chosen = event.target.value as ConditionKind
              onChange({ kind: chosen, fields: conditionForms[chosen].first, isNegated })
            }}
          />
        </div>
        <IconButton icon="close" label={t.removeCondition} onClick={onRemove} />
      </div>
      {Object.keys(conditionForms[kind].fields).length > 0 && (
        <div className="mt-2 flex flex-wrap gap-2">
          {Object.entries(conditionForms[kind].fields).map(([name, field]) => (
            <ConditionField key={name} name={name} kind={field} fields={fields} onChange={change} />
          ))}
        </div>
      )}
    </li>
  )
}

interface FieldProps {
  name: string
  kind: FieldKind
  fields: ConditionFields
  onChange(fields: ConditionFields): void
}

function ConditionField({ name, kind, fields, onChange }: FieldProps) {
  const t = useTexts(builderTexts)
  // A cart may have been stored in hours.
  const stored = name === 'days' && 'hours' in fields ? 'hours' : name
  const label = t[stored as 'days']
  const value = fields[stored]
  const set = (changed: string | number | string[]) => onChange({ ...fields, [stored]: changed })
  if (kind === 'thing') return <ThingFields {...{ fields, onChange }} />
  if (kind === 'languages') {
    const chosen = value as string[]
    return (
      <fieldset className="flex flex-wrap gap-x-4 gap-y-1">
        <legend className="mb-1 font-medium">{label}</legend>
        {languages.map((it) => (
          <CheckField
            key={it}
            label={languageNames[it]}
            checked={chosen.includes(it)}
            disabled={chosen.length === 1 && chosen.includes(it)}
            onChange={(event) =>
              set(event.target.checked ? [...chosen, it] : chosen.filter((other) => other !== it))
            }
          />
        ))}
      </fieldset>
    )
  }
  const text = Array.isArray(value)
    ? value.join(', ')
    : kind === 'sum'
      ? String(Number(value) / 100)
      : String(value)
  const parsed = (typed: string) =>
    kind === 'ids'
      ? typed.split(/[\s,]+/)
      : kind === 'words'
        ? typed
        : Math.round(Number(typed) * (kind === 'sum' ? 100 : 1))
  const isNumber = kind === 'number' || kind === 'sum'
  return (
    <div className={kind === 'number' ? 'w-32' : 'min-w-0 flex-1 basis-40'}>
      <TextField
        label={label}
        value={text}
        {...(isNumber && { type: 'number', inputMode: 'numeric', min: 1 })}
        onChange={(event) => set(parsed(event.target.value))}
      />
    </div>
  )
}

function ThingFields({ fields, onChange }: Pick<FieldProps, 'fields' | 'onChange'>) {
  const t = useTexts(builderTexts)
  const { thing, id } = thingOf(fields)
  return (
    <div className="flex min-w-0 flex-1 basis-56 gap-2">
      <SelectField
        label={t.thing}
        value={thing}
        choices={things.map((it) => [it, t[it]] as const)}
        onChange={(event) => onChange(withThing(fields, event.target.value as Thing, id))}
      />
      <TextField
        label={t.thingId}
        value={id}
        inputMode="numeric"
        onChange={(event) => onChange(withThing(fields, thing, event.target.value))}
      />
    </div>
  )
}
