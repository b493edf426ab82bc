// A form in a dialog, from a list of fields. What the server refuses appears at the field it names.

import { type FormEvent, type ReactNode, useState } from 'react'
import type { Bozor } from '../../../sdk/index.ts'
import { useAction } from '../app/data.ts'
import { fieldErrors } from '../app/field-errors.ts'
import { useTexts } from '../app/session.tsx'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { CheckField, type Choice, SelectField, TextArea, TextField } from './field.tsx'

export interface FormField {
  name: string
  label: string
  kind?: 'text' | 'number' | 'email' | 'area' | 'select' | 'check' | 'password' | 'datetime-local'
  choices?: readonly Choice[]
  hint?: string
  value?: string
  isOptional?: boolean
}

export type Values = Record<string, string>

export interface FormProps<Reply> {
  title: string
  text?: string
  /** Shown between the text and the fields. */
  above?: ReactNode
  fields: readonly FormField[]
  submit: string
  isDanger?: boolean
  run(bozor: Bozor, values: Values): Promise<Reply>
  refreshes: string[]
  done?: string
  onDone?: (reply: Reply) => void
  onClose(): void
}

const table = { cancel: ['Cancel', 'Отмена', 'Bekor qilish'] } as const

export function FormDialog<Reply>(props: FormProps<Reply>) {
  const { title, text, above, fields, submit, isDanger, run, refreshes, done, onDone, onClose } = props
  const t = useTexts(table)
  const [values, setValues] = useState<Values>(() =>
    Object.fromEntries(fields.map((it) => [it.name, it.value ?? ''])),
  )
  const action = useAction(run, {
    refreshes,
    isQuiet: true,
    ...(done && { done }),
    onDone: (reply) => {
      onClose()
      onDone?.(reply)
    },
  })
  const errors = fieldErrors(action.error)
  const isGeneral = action.error && !fields.some((it) => errors[it.name])
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    action.mutate(values)
  }
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <form onSubmit={onSubmit} className="flex flex-col gap-4 p-4" noValidate>
        {text && <p className="text-soft">{text}</p>}
        {above}
        {fields.map((field) => (
          <FormControl
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            error={errors[field.name]}
            onChange={(value) => setValues((all) => ({ ...all, [field.name]: value }))}
          />
        ))}
        {isGeneral && (
          <p role="alert" className="bg-bad-soft text-bad rounded-md px-3 py-2">
            {action.error.message}
          </p>
        )}
        <footer className="flex justify-end gap-2">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button type="submit" look={isDanger ? 'danger' : 'primary'} isBusy={action.isPending}>
            {submit}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}

interface ControlProps {
  field: FormField
  value: string
  error: string | undefined
  onChange(value: string): void
}

function FormControl({ field, value, error, onChange }: ControlProps) {
  const { name, label, hint, kind = 'text', choices = [] } = field
  const shared = {
    name,
    label,
    error,
    hint,
    value,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  }
  if (kind === 'area') return <TextArea {...shared} />
  if (kind === 'select') return <SelectField {...shared} choices={choices} />
  if (kind === 'check')
    return (
      <CheckField
        label={label}
        {...(hint && { hint })}
        checked={value === 'true'}
        onChange={(event) => onChange(String(event.target.checked))}
      />
    )
  return <TextField {...shared} type={kind} {...(kind === 'number' && { inputMode: 'numeric' as const })} />
}
