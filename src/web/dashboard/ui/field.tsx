import { type ComponentProps, type ReactNode, useId } from 'react'

const control =
  'border-strong bg-surface text-ink placeholder:text-faint w-full rounded-md border px-2.5 shadow-raised transition-colors hover:border-faint aria-invalid:border-bad'

interface Labelled {
  label: string
  hint?: string | undefined
  error?: string | undefined
}

/** A label, its control, and below it the hint or what is wrong. */
function Labelled({ label, hint, error, id, children }: Labelled & { id: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children}
      {(error ?? hint) && (
        <p id={`${id}-note`} className={`text-xs ${error ? 'text-bad' : 'text-soft'}`}>
          {error ?? hint}
        </p>
      )}
    </div>
  )
}

const described = (id: string, { hint, error }: Pick<Labelled, 'hint' | 'error'>) => ({
  id,
  'aria-invalid': error ? true : undefined,
  'aria-describedby': (error ?? hint) ? `${id}-note` : undefined,
})

export function TextField({ label, hint, error, ...rest }: Labelled & ComponentProps<'input'>) {
  const id = useId()
  return (
    <Labelled {...{ label, hint, error, id }}>
      <input {...rest} {...described(id, { hint, error })} className={`${control} h-9`} />
    </Labelled>
  )
}

export function TextArea({ label, hint, error, ...rest }: Labelled & ComponentProps<'textarea'>) {
  const id = useId()
  return (
    <Labelled {...{ label, hint, error, id }}>
      <textarea rows={4} {...rest} {...described(id, { hint, error })} className={`${control} py-2`} />
    </Labelled>
  )
}

export type Choice = readonly [value: string, label: string]

export function SelectField({
  label,
  hint,
  error,
  choices,
  ...rest
}: Labelled & ComponentProps<'select'> & { choices: readonly Choice[] }) {
  const id = useId()
  return (
    <Labelled {...{ label, hint, error, id }}>
      <select {...rest} {...described(id, { hint, error })} className={`${control} h-9 appearance-auto`}>
        {choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Labelled>
  )
}

export function CheckField({
  label,
  hint,
  ...rest
}: { label: ReactNode; hint?: string } & ComponentProps<'input'>) {
  const id = useId()
  return (
    <div className="flex gap-2.5">
      <input type="checkbox" id={id} {...rest} className="accent-accent mt-0.5 size-4 shrink-0" />
      <label htmlFor={id} className="min-w-0">
        {label}
        {hint && <span className="text-soft block text-xs">{hint}</span>}
      </label>
    </div>
  )
}
