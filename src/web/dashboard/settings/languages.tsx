// The languages that the storefront and messages of the shop offer, and the one for buyers who prefer none of them.

import { type FormEvent, useState } from 'react'
import type { Operations } from '../../../sdk/index.ts'
import { useAction, useData } from '../app/data.ts'
import { fieldErrors } from '../app/field-errors.ts'
import { type Language, languageNames } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Button } from '../ui/button.tsx'
import { Card, PageHead } from '../ui/card.tsx'
import { CheckField, SelectField } from '../ui/field.tsx'
import { Failure, Skeleton } from '../ui/states.tsx'

type Shop = Operations['shop.get']['reply']['shop']

const table = {
  title: ['Languages', 'Языки', 'Tillar'],
  text: [
    'What buyers can choose in the storefront, and what mails, SMS and push messages are written in. The API answers in all three.',
    'Что покупатели могут выбрать в магазине и на чём пишутся письма, SMS и push-сообщения. API отвечает на всех трёх.',
    'Xaridorlar do‘konda tanlay oladigan va xat, SMS hamda push xabarlar yoziladigan tillar. API uchalasida javob beradi.',
  ],
  offered: ['Offered languages', 'Доступные языки', 'Taklif qilinadigan tillar'],
  uzHint: ['In Latin and Cyrillic script.', 'Латиницей и кириллицей.', 'Lotin va kirill yozuvida.'],
  main: ['Default language', 'Язык по умолчанию', 'Asosiy til'],
  mainHint: [
    'For buyers whose browser or profile names none of the offered ones.',
    'Для покупателей, чей браузер или профиль не называет ни одного из доступных.',
    'Brauzeri yoki profilida taklif qilingan til bo‘lmagan xaridorlar uchun.',
  ],
  save: ['Save', 'Сохранить', 'Saqlash'],
  saved: [
    'Saved. The storefront follows within 20 seconds.',
    'Сохранено. Магазин обновится в течение 20 секунд.',
    'Saqlandi. Do‘kon 20 soniya ichida yangilanadi.',
  ],
} as const

export function Page() {
  const t = useTexts(table)
  const found = useData(['shop'], async (bozor) => (await bozor.shop.get()).shop)
  return (
    <>
      <PageHead title={t.title} text={t.text} />
      {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      {!found.data && !found.error && <Skeleton className="h-64 w-full" />}
      {found.data && <LanguageForm key={found.data.version} shop={found.data} />}
    </>
  )
}

/** The order of the storefront's menu. */
const choices: Language[] = ['ru', 'uz', 'en']

function LanguageForm({ shop }: { shop: Shop }) {
  const t = useTexts(table)
  const { can } = useSession()
  const [draft, setDraft] = useState({ languages: shop.languages, default_language: shop.default_language })
  const save = useAction((bozor, it: typeof draft) => bozor.shop.update(it), {
    refreshes: ['shop'],
    done: t.saved,
    isQuiet: true,
  })
  const errors = fieldErrors(save.error)
  const isGeneral = save.error && !errors['languages'] && !errors['default_language']
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(draft)
  }
  const toggle = (it: Language) =>
    setDraft(({ languages, default_language }) => ({
      default_language,
      languages: choices.filter((one) => (one === it ? !languages.includes(it) : languages.includes(one))),
    }))
  return (
    <Card title={t.title}>
      <form className="flex max-w-md flex-col gap-5" onSubmit={onSubmit} noValidate>
        <fieldset
          className="flex flex-col gap-2.5"
          aria-describedby={errors['languages'] && 'languages-error'}
        >
          <legend className="mb-2 font-medium">{t.offered}</legend>
          {choices.map((it) => (
            <CheckField
              key={it}
              label={languageNames[it]}
              {...(it === 'uz' && { hint: t.uzHint })}
              checked={draft.languages.includes(it)}
              onChange={() => toggle(it)}
            />
          ))}
          {errors['languages'] && (
            <p id="languages-error" className="text-bad text-xs">
              {errors['languages']}
            </p>
          )}
        </fieldset>
        <SelectField
          label={t.main}
          hint={t.mainHint}
          error={errors['default_language']}
          value={draft.default_language}
          choices={choices.map((it) => [it, languageNames[it]] as const)}
          onChange={({ target }) => setDraft({ ...draft, default_language: target.value as Language })}
        />
        {isGeneral && (
          <p role="alert" className="bg-bad-soft text-bad rounded-md px-3 py-2">
            {save.error.message}
          </p>
        )}
        {can('admin:write') && (
          <Button type="submit" look="primary" isBusy={save.isPending}>
            {t.save}
          </Button>
        )}
      </form>
    </Card>
  )
}
