// Name, logo and colour of the shop, with a preview of the storefront and of a mail.

import { type ChangeEvent, useState } from 'react'
import type { Operations } from '../../../sdk/index.ts'
import { useAction, useData } from '../app/data.ts'
import { fieldErrors } from '../app/field-errors.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Button } from '../ui/button.tsx'
import { Card, PageHead } from '../ui/card.tsx'
import { TextField } from '../ui/field.tsx'
import { Failure, Skeleton } from '../ui/states.tsx'

type Shop = Operations['shop.get']['reply']['shop']

const table = {
  title: ['Shop identity', 'Оформление магазина', 'Do‘kon ko‘rinishi'],
  text: [
    'What buyers see in the storefront and at the head of mails.',
    'Что покупатели видят в магазине и в начале писем.',
    'Xaridorlar do‘konda va xatlar boshida nimani ko‘radi.',
  ],
  name: ['Name', 'Название', 'Nomi'],
  colour: ['Colour', 'Цвет', 'Rang'],
  colourHint: [
    'White text must be readable on it, such as #0b6b63.',
    'На нём должен читаться белый текст, например #0b6b63.',
    'Ustida oq yozuv o‘qilishi kerak, masalan #0b6b63.',
  ],
  logo: ['Logo', 'Логотип', 'Logotip'],
  choose: ['Choose a picture', 'Выбрать картинку', 'Rasm tanlash'],
  removeLogo: ['Remove the logo', 'Убрать логотип', 'Logotipni olib tashlash'],
  save: ['Save', 'Сохранить', 'Saqlash'],
  saved: ['Saved', 'Сохранено', 'Saqlandi'],
  preview: ['Preview', 'Предпросмотр', 'Ko‘rinishi'],
} as const

const plain = { name: 'Bozor', colour: '#0b6b63' }

export function Page() {
  const t = useTexts(table)
  const found = useData(['shop'], async (bozor) => (await bozor.shop.get()).shop)
  return (
    <>
      <PageHead title={t.title} text={t.text} />
      {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      {!found.data && !found.error && <Skeleton className="h-64 w-full" />}
      {found.data && <Identity key={found.data.version} shop={found.data} />}
    </>
  )
}

function Identity({ shop }: { shop: Shop }) {
  const t = useTexts(table)
  const { can } = useSession()
  const [draft, setDraft] = useState(shop)
  const save = useAction(
    (bozor, it: Shop) =>
      bozor.shop.update({
        name: it.name?.trim() ? it.name : null,
        colour: it.colour?.trim() ? it.colour.toLowerCase() : null,
        logo_path: it.logo_path,
      }),
    { refreshes: ['shop'], done: t.saved, isQuiet: true },
  )
  const errors = fieldErrors(save.error)
  const onSubmit = (event: React.FormEvent) => {
    event.preventDefault()
    save.mutate(draft)
  }
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Card title={t.title}>
        <form className="flex flex-col gap-4" onSubmit={onSubmit} noValidate>
          <TextField
            label={t.name}
            value={draft.name ?? ''}
            placeholder={plain.name}
            error={errors['name']}
            onChange={(event) => setDraft({ ...draft, name: event.target.value })}
          />
          <TextField
            label={t.colour}
            hint={t.colourHint}
            value={draft.colour ?? ''}
            placeholder={plain.colour}
            error={errors['colour']}
            onChange={(event) => setDraft({ ...draft, colour: event.target.value })}
          />
          <LogoField
            path={draft.logo_path}
            onChange={(path) => setDraft((all) => ({ ...all, logo_path: path }))}
          />
          {can('admin:write') && (
            <Button type="submit" look="primary" isBusy={save.isPending}>
              {t.save}
            </Button>
          )}
        </form>
      </Card>
      <Card title={t.preview}>
        <Preview shop={draft} />
      </Card>
    </div>
  )
}

function LogoField({ path, onChange }: { path: string | null; onChange: (path: string | null) => void }) {
  const t = useTexts(table)
  const upload = useAction(
    async (bozor, file: File) => {
      const body = new Uint8Array(await file.arrayBuffer())
      return (await bozor.pictures.create({ body }, { headers: { 'Content-Type': file.type } })).picture
    },
    { refreshes: [], onDone: (it) => onChange(it.md_path) },
  )
  const onFile = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    if (file) upload.mutate(file)
    target.value = ''
  }
  return (
    <div className="flex flex-wrap items-center gap-3">
      {path && (
        <img src={path} alt={t.logo} className="border-line size-12 rounded-md border object-contain" />
      )}
      <label className="border-strong bg-surface hover:bg-hover shadow-raised focus-within:outline-accent flex h-8 cursor-pointer items-center rounded-md border px-3 font-medium focus-within:outline-2">
        {t.choose}
        <input type="file" accept="image/png,image/jpeg,image/webp" className="sr-only" onChange={onFile} />
      </label>
      {path && (
        <Button look="ghost" onClick={() => onChange(null)}>
          {t.removeLogo}
        </Button>
      )}
    </div>
  )
}

const colourForm = /^#[0-9a-f]{6}$/i

function Preview({ shop }: { shop: Shop }) {
  const colour = colourForm.test(shop.colour ?? '') ? shop.colour! : plain.colour
  return (
    <div className="border-line overflow-hidden rounded-md border" aria-hidden="true">
      <div
        className="flex items-center gap-3 px-4 py-3 text-lg font-semibold text-white"
        style={{ background: colour }}
      >
        {shop.logo_path && <img src={shop.logo_path} alt="" className="size-8 object-contain" />}
        {shop.name?.trim() || plain.name}
      </div>
      <div className="flex flex-col gap-2 p-4">
        <span className="bg-hover h-3 w-2/3 rounded" />
        <span className="bg-hover h-3 w-1/2 rounded" />
        <span className="mt-2 h-8 w-28 rounded-md" style={{ background: colour }} />
      </div>
    </div>
  )
}
