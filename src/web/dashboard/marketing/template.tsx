// A template with its preview, which follows the typing.

import { useParams } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import type { NotificationTemplate } from '../../../sdk/index.ts'
import { useAction, useData } from '../app/data.ts'
import { fieldErrors } from '../app/field-errors.ts'
import { type Language, languageNames, languages } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card, PageHead } from '../ui/card.tsx'
import { TextArea, TextField } from '../ui/field.tsx'
import { Failure, Skeleton } from '../ui/states.tsx'
import { purposeText, templateTexts } from './template-texts.ts'

export function Page() {
  const t = useTexts(templateTexts)
  const { language } = useSession()
  const { id } = useParams({ strict: false }) as { id: string }
  const found = useData(
    ['templates', id],
    async (bozor) => (await bozor.templates.get({ template_id: id })).template,
  )
  if (found.error) return <Failure error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <Skeleton className="h-80 w-full" />
  return (
    <>
      <PageHead
        title={found.data.slug}
        text={purposeText(found.data.description, language)}
        badge={<Badge text={t[found.data.channel]} isPlain tone="accent" />}
      />
      <Editor key={found.data.version} template={found.data} />
    </>
  )
}

function Editor({ template }: { template: NotificationTemplate }) {
  const t = useTexts(templateTexts)
  const { can } = useSession()
  const [texts, setTexts] = useState(template.texts)
  const [language, setLanguage] = useState<Language>(languages.find((it) => template.texts[it]) ?? 'ru')
  const current = texts[language] ?? { subject: null, text: '', html: null }
  const change = (part: object) => setTexts((all) => ({ ...all, [language]: { ...current, ...part } }))
  const save = useAction((bozor) => bozor.templates.update({ template_id: template.id, texts }), {
    refreshes: ['templates'],
    done: t.saved,
  })
  const errors = fieldErrors(save.error)
  const mayWrite = can('marketing:write')
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Card title={t.text} action={<LanguageTabs chosen={language} onChoose={setLanguage} />}>
        <div className="flex flex-col gap-4">
          {template.channel !== 'sms' && (
            <TextField
              label={t.subject}
              value={current.subject ?? ''}
              readOnly={!mayWrite}
              onChange={(event) => change({ subject: event.target.value })}
            />
          )}
          <TextArea
            label={t.text}
            rows={12}
            value={current.text}
            readOnly={!mayWrite}
            error={errors['texts']}
            onChange={(event) => change({ text: event.target.value })}
          />
          {mayWrite && (
            <Button
              look="primary"
              className="self-end"
              isBusy={save.isPending}
              disabled={texts === template.texts}
              onClick={() => save.mutate(undefined)}
            >
              {t.save}
            </Button>
          )}
        </div>
      </Card>
      <Preview template={template} texts={texts} language={language} />
    </div>
  )
}

function LanguageTabs({ chosen, onChoose }: { chosen: Language; onChoose(language: Language): void }) {
  const t = useTexts(templateTexts)
  return (
    <div role="group" aria-label={t.language} className="flex gap-1">
      {languages.map((it) => (
        <Button
          key={it}
          isSmall
          look={it === chosen ? 'secondary' : 'ghost'}
          aria-pressed={it === chosen}
          onClick={() => onChoose(it)}
        >
          {languageNames[it]}
        </Button>
      ))}
    </div>
  )
}

interface PreviewProps {
  template: NotificationTemplate
  texts: NotificationTemplate['texts']
  language: Language
}

function Preview({ template, texts, language }: PreviewProps) {
  const t = useTexts(templateTexts)
  const typed = useDeferredValue(texts)
  const preview = useData(
    ['templates', template.id, 'preview', language, typed],
    async (bozor) =>
      (await bozor.templates.preview({ template_id: template.id, language, texts: typed } as never)).preview,
  )
  return (
    <Card title={t.preview}>
      <p className="text-soft mb-3 text-xs">{t.previewText}</p>
      {preview.error ? (
        <p role="alert" className="text-bad">
          {preview.error.message}
        </p>
      ) : (
        <div className="border-line bg-canvas rounded-lg border p-4">
          {preview.data?.subject && <p className="mb-2 font-semibold">{preview.data.subject}</p>}
          <p className="whitespace-pre-line">{preview.data?.text}</p>
        </div>
      )}
    </Card>
  )
}
