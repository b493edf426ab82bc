// Calls of the API by hand, with a pasted key or as the member, and the same call as curl and SDK code.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession, useTexts } from '../app/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card, PageHead } from '../ui/card.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { SelectField, TextArea, TextField } from '../ui/field.tsx'
import { Failure, Skeleton } from '../ui/states.tsx'
import { addressOf, type ConsoleCall, curlOf, sdkOf } from './request-code.ts'

const table = {
  title: ['API console', 'Консоль API', 'API konsoli'],
  text: [
    'Try a call and copy it as code. Calls change real data of the chosen environment.',
    'Попробуйте вызов и скопируйте его как код. Вызовы меняют данные выбранной среды.',
    'Chaqiruvni sinab ko‘ring va kod sifatida nusxalang. Chaqiruvlar tanlangan muhit ma’lumotini o‘zgartiradi.',
  ],
  operation: ['Operation', 'Операция', 'Amal'],
  key: ['API key', 'API-ключ', 'API kaliti'],
  keyHint: [
    'Paste a key to call with its scopes; empty: as you. It is not stored.',
    'Вставьте ключ, чтобы вызвать с его правами; пусто — от вашего имени. Он не сохраняется.',
    'Kalit huquqlari bilan chaqirish uchun uni qo‘ying; bo‘sh bo‘lsa — sizning nomingizdan. U saqlanmaydi.',
  ],
  body: ['Body', 'Тело', 'Tana'],
  send: ['Send', 'Отправить', 'Yuborish'],
  reply: ['Reply', 'Ответ', 'Javob'],
  noReply: ['The reply appears here.', 'Здесь появится ответ.', 'Javob shu yerda chiqadi.'],
  code: ['As code', 'Как код', 'Kod sifatida'],
} as const

interface Operation {
  id: string
  method: string
  path: string
  summary: string
  params: string[]
  query: string[]
  body: string | undefined
}

interface Document {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string
        summary: string
        parameters?: { name?: string; in?: string }[]
        requestBody?: { content: { 'application/json'?: { example?: unknown } } }
      }
    >
  >
}

/** The reference of this server: every operation with an example of its body. */
async function loadOperations(): Promise<Operation[]> {
  const { paths } = (await (await fetch('/openapi.json')).json()) as Document
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, it]) => {
        const named = (place: string) =>
          (it.parameters ?? []).flatMap(({ name, in: where }) => (name && where === place ? [name] : []))
        const example = it.requestBody?.content['application/json']?.example
        return {
          id: it.operationId,
          method: method.toUpperCase(),
          path,
          summary: it.summary,
          params: named('path'),
          query: named('query'),
          body: it.requestBody && (example === undefined ? '{}' : JSON.stringify(example, null, 2)),
        }
      }),
    )
    .filter((it) => it.id?.includes('.'))
    .toSorted((one, two) => one.id.localeCompare(two.id))
}

export function Page() {
  const t = useTexts(table)
  const found = useQuery({ queryKey: ['operations'], queryFn: loadOperations, staleTime: Infinity })
  return (
    <>
      <PageHead title={t.title} text={t.text} />
      {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      {!found.data && !found.error && <Skeleton className="h-80 w-full" />}
      {found.data && <Console operations={found.data} />}
    </>
  )
}

function Console({ operations }: { operations: readonly Operation[] }) {
  const t = useTexts(table)
  const [id, setId] = useState('products.list')
  const operation = operations.find((it) => it.id === id) ?? operations[0]!
  return (
    <div className="flex flex-col gap-4">
      <SelectField
        label={t.operation}
        value={operation.id}
        onChange={(event) => setId(event.target.value)}
        choices={operations.map((it) => [it.id, `${it.id} — ${it.summary}`] as const)}
      />
      <CallForm key={operation.id} operation={operation} />
    </div>
  )
}

interface Answer {
  status: number
  text: string
  ms: number
}

function CallForm({ operation }: { operation: Operation }) {
  const t = useTexts(table)
  const { environment } = useSession()
  const [values, setValues] = useState<Record<string, string>>({})
  const [key, setKey] = useState('')
  const [body, setBody] = useState(operation.body ?? '')
  const [answer, setAnswer] = useState<Answer | null>(null)
  const chosen = (names: readonly string[]) => Object.fromEntries(names.map((it) => [it, values[it] ?? '']))
  const call: ConsoleCall = {
    origin: location.origin,
    operation: operation.id,
    method: operation.method,
    path: operation.path,
    params: chosen(operation.params),
    query: chosen(operation.query),
    body,
  }
  const onSubmit = async (event: React.FormEvent) => {
    event.preventDefault()
    setAnswer(
      await sent(
        call,
        key.trim() ? { authorization: `Bearer ${key.trim()}` } : { 'x-environment': environment },
      ),
    )
  }
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Card title={`${operation.method} ${operation.path}`}>
        <form className="flex flex-col gap-3" onSubmit={(event) => void onSubmit(event)} noValidate>
          <TextField
            label={t.key}
            hint={t.keyHint}
            type="password"
            autoComplete="off"
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
          <div className="grid gap-3 sm:grid-cols-2">
            {[...operation.params, ...operation.query].map((it) => (
              <TextField
                key={it}
                label={it}
                value={values[it] ?? ''}
                onChange={(event) => setValues({ ...values, [it]: event.target.value })}
              />
            ))}
          </div>
          {operation.body !== undefined && (
            <TextArea
              label={t.body}
              rows={10}
              spellCheck={false}
              value={body}
              onChange={(event) => setBody(event.target.value)}
            />
          )}
          <Button type="submit" look="primary">
            {t.send}
          </Button>
        </form>
      </Card>
      <Outcome call={call} answer={answer} />
    </div>
  )
}

function Outcome({ call, answer }: { call: ConsoleCall; answer: Answer | null }) {
  const t = useTexts(table)
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Card title={t.reply} action={answer && <Status answer={answer} />}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must take the focus */}
        <pre
          tabIndex={0}
          aria-label={t.reply}
          className="max-h-96 overflow-auto font-mono text-xs break-words whitespace-pre-wrap"
        >
          {answer?.text ?? t.noReply}
        </pre>
      </Card>
      <Card title={t.code}>
        <div className="flex flex-col gap-3">
          <Code label="curl" text={curlOf(call)} />
          <Code label="TypeScript" text={sdkOf(call)} />
        </div>
      </Card>
    </div>
  )
}

const Status = ({ answer: { status, ms } }: { answer: Answer }) => (
  <Badge text={`${status} · ${ms} ms`} tone={status < 400 ? 'good' : 'bad'} />
)

const Code = ({ label, text }: { label: string; text: string }) => (
  <div className="flex flex-col gap-1">
    <div className="flex items-center justify-between">
      <span className="font-medium">{label}</span>
      <CopyButton value={text} />
    </div>
    {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must take the focus */}
    <pre
      tabIndex={0}
      aria-label={label}
      className="bg-canvas border-line overflow-x-auto rounded-md border p-3 font-mono text-xs"
    >
      {text}
    </pre>
  </div>
)

async function sent(call: ConsoleCall, credentials: Record<string, string>): Promise<Answer> {
  const started = performance.now()
  const hasBody = call.body.trim() !== '' && call.method !== 'GET'
  try {
    const reply = await fetch(addressOf(call), {
      method: call.method,
      // A key must not be mixed with the member's session.
      credentials: 'authorization' in credentials ? 'omit' : 'same-origin',
      headers: { ...credentials, ...(hasBody && { 'content-type': 'application/json' }) },
      ...(hasBody && { body: call.body }),
    })
    const text = await reply.text()
    return { status: reply.status, text: indented(text), ms: Math.round(performance.now() - started) }
  } catch (error) {
    return { status: 0, text: String(error), ms: Math.round(performance.now() - started) }
  }
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
