// Refused lines of a file, each with what is wrong and a field to correct it.

import { count, fillIn } from '../app/language.ts'
import { useTexts } from '../app/session.tsx'
import { Card } from '../ui/card.tsx'
import type { ImportFile, Refusal, Report } from './import-file.ts'
import { importTexts } from './import-texts.ts'

/** More at once would slow the page down; the others follow after the next check. */
const maxShown = 100

interface RefusalsProps {
  report: Report
  file: ImportFile
  onChange(line: number, text: string): void
}

export function Refusals({ report, file, onChange }: RefusalsProps) {
  const t = useTexts(importTexts)
  const shown = report.refusals.slice(0, maxShown)
  const hidden = report.refused - shown.length
  return (
    <Card title={t.problems} isFlush>
      <p className="text-soft border-line border-b px-4 py-3">{t.problemsText}</p>
      <ul className="divide-line divide-y">
        {shown.map((it) => (
          <Line
            key={it.line}
            refusal={it}
            text={file.lines[it.line - 1] ?? ''}
            onChange={(text) => onChange(it.line, text)}
          />
        ))}
      </ul>
      {hidden > 0 && (
        <p className="text-soft border-line border-t px-4 py-3">{fillIn(t.more, { count: count(hidden) })}</p>
      )}
    </Card>
  )
}

interface LineProps {
  refusal: Refusal
  text: string
  onChange(text: string): void
}

function Line({ refusal, text, onChange }: LineProps) {
  const t = useTexts(importTexts)
  const name = fillIn(t.line, { number: refusal.line })
  return (
    <li className="grid gap-x-4 gap-y-2 px-4 py-3 md:grid-cols-[14rem_minmax(0,1fr)]">
      <div className="min-w-0">
        <p className="font-medium">
          {name}
          {refusal.record && <span className="text-soft font-normal"> · {refusal.record}</span>}
          {refusal.id !== null && <span className="text-soft font-normal"> {String(refusal.id)}</span>}
        </p>
        <ul className="mt-1 flex flex-col gap-0.5 text-xs">
          {refusal.fields.map((it) => (
            <li key={`${it.path} ${it.rule}`} className="text-bad break-words">
              {it.path && <code className="font-mono">{it.path}: </code>}
              {it.message}
            </li>
          ))}
        </ul>
      </div>
      <textarea
        aria-label={name}
        value={text}
        onChange={(event) => onChange(event.target.value.replaceAll(/\r?\n/g, ' '))}
        rows={2}
        spellCheck={false}
        className="border-strong bg-canvas field-sizing-content max-h-48 min-h-14 w-full rounded-md border px-2.5 py-2 font-mono text-xs break-all"
      />
    </li>
  )
}
