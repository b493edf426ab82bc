// What a campaign would do now, while it is edited: the size of its audience and its message in every language.

import { useDeferredValue, useEffect, useState } from 'react'
import type { CampaignDraftPreview, Operations } from '../../../sdk/index.ts'
import { useData } from '../app/data.ts'
import { count, fillIn, languageNames } from '../app/language.ts'
import { useTexts } from '../app/session.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Skeleton } from '../ui/states.tsx'
import { builderTexts } from './builder-texts.ts'

type Draft = Operations['campaigns.preview']['input']

const pauseMs = 250

/** The value after the typing has paused. */
function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value])
  return useDeferredValue(settled)
}

export function useDraftPreview(draft: Draft) {
  const text = useSettled(JSON.stringify(draft))
  return useData(
    ['campaigns', 'draft', text],
    async (bozor) => (await bozor.campaigns.preview(JSON.parse(text) as Draft)).preview,
    { keepsPrevious: true },
  )
}

interface PreviewProps {
  preview: ReturnType<typeof useDraftPreview>
  holdoutPercent: number
}

export function DraftPreview({ preview, holdoutPercent }: PreviewProps) {
  return (
    <div className="flex min-w-0 flex-col gap-4 lg:sticky lg:top-4 lg:self-start">
      <AudienceSize preview={preview} holdoutPercent={holdoutPercent} />
      <Messages preview={preview.data} />
    </div>
  )
}

function AudienceSize({ preview, holdoutPercent }: PreviewProps) {
  const t = useTexts(builderTexts)
  const found = preview.data?.audience
  return (
    <Card title={t.audience}>
      <div aria-live="polite" className={preview.isPlaceholderData ? 'opacity-60' : ''}>
        {preview.error ? (
          <p className="text-bad">{preview.error.message}</p>
        ) : found ? (
          <>
            <p className="figures text-2xl font-semibold">
              {!found.is_exact && <span className="text-soft text-base font-normal">{t.atLeast} </span>}
              {count(found.size)} <span className="text-soft text-base font-normal">{t.people}</span>
            </p>
            <p className="text-soft mt-1 text-xs">
              {found.size === 0
                ? t.noClient
                : holdoutPercent > 0 &&
                  fillIn(t.withheld, { count: count(Math.round((found.size * holdoutPercent) / 100)) })}
            </p>
          </>
        ) : (
          <Skeleton className="h-8 w-32" />
        )}
      </div>
    </Card>
  )
}

type ShownMessages = Pick<CampaignDraftPreview, 'messages' | 'missing_variables'>

export function Messages({ preview }: { preview: ShownMessages | undefined }) {
  const t = useTexts(builderTexts)
  const [chosen, setChosen] = useState<string | null>(null)
  const messages = preview?.messages ?? []
  const message = messages.find((it) => it.language === chosen) ?? messages[0]
  return (
    <Card
      title={t.message}
      action={
        messages.length > 1 && (
          <div role="group" aria-label={t.previewLanguage} className="flex gap-1">
            {messages.map((it) => (
              <Button
                key={it.language}
                isSmall
                look={it === message ? 'secondary' : 'ghost'}
                aria-pressed={it === message}
                onClick={() => setChosen(it.language)}
              >
                {languageNames[it.language]}
              </Button>
            ))}
          </div>
        )
      }
    >
      {preview && preview.missing_variables.length > 0 && (
        <p role="alert" className="bg-warn-soft text-warn mb-3 rounded-md px-3 py-2">
          {fillIn(t.missing, { names: preview.missing_variables.join(', ') })}
        </p>
      )}
      {message ? (
        <>
          {message.subject && <p className="mb-2 text-base font-semibold break-words">{message.subject}</p>}
          <p className="break-words whitespace-pre-line">{message.text}</p>
          <p className="text-soft mt-3 text-xs">{message.is_real ? t.real : t.sampled}</p>
        </>
      ) : (
        <p className="text-soft">{t.noPreview}</p>
      )}
    </Card>
  )
}
