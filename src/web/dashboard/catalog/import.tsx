// Import of a file: check first, correct the refused lines in place, then store with visible progress.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type DragEvent, useRef, useState } from 'react'
import { count, fillIn } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Button } from '../ui/button.tsx'
import { Card, PageHead } from '../ui/card.tsx'
import { SelectField } from '../ui/field.tsx'
import { Icon } from '../ui/icons.tsx'
import { Failure } from '../ui/states.tsx'
import { useToast } from '../ui/toast.tsx'
import {
  checkFile,
  type ImportFile,
  importFile,
  isCsv,
  linesOf,
  maxFileBytes,
  recordNames,
  recordOfName,
  type RecordName,
  type Report,
  withLine,
} from './import-file.ts'
import { Refusals } from './import-refusals.tsx'
import { importTexts } from './import-texts.ts'

type Outcome = { kind: 'checked' | 'imported'; report: Report }

/** The file with its corrections, and what the server said about it last. */
function useImport() {
  const { bozor } = useSession()
  const queries = useQueryClient()
  const [file, setFile] = useState<ImportFile | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [share, setShare] = useState(0)
  const check = useMutation({
    mutationFn: (it: ImportFile) => checkFile(bozor, it),
    onSuccess: (report) => setOutcome({ kind: 'checked', report }),
  })
  const store = useMutation({
    mutationFn: (it: ImportFile) => importFile(bozor, it, setShare),
    onSuccess: async (report) => {
      setOutcome({ kind: 'imported', report })
      await queries.invalidateQueries()
    },
  })
  const open = (next: ImportFile | null) => {
    setFile(next)
    setOutcome(null)
    setShare(0)
    check.reset()
    store.reset()
    if (next) check.mutate(next)
  }
  return { file, setFile, outcome, share, check, store, open }
}

export function Page() {
  const t = useTexts(importTexts)
  const { can } = useSession()
  const work = useImport()
  return (
    <>
      <PageHead title={t.title} text={t.text} />
      <div className="flex flex-col gap-4">
        {can('catalog:write') && (work.file ? <Work {...work} file={work.file} /> : <Chooser {...work} />)}
        {!work.file && <Export />}
      </div>
    </>
  )
}

function Chooser({ open }: Pick<ReturnType<typeof useImport>, 'open'>) {
  const t = useTexts(importTexts)
  const toast = useToast()
  const input = useRef<HTMLInputElement>(null)
  const choose = async (file: File | undefined) => {
    if (!file) return
    if (file.size > maxFileBytes) return toast({ text: t.tooLarge, tone: 'bad' })
    const record = isCsv(file.name) ? recordOfName(file.name) : null
    open({ name: file.name, record, lines: linesOf(await file.text()) })
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    void choose(event.dataTransfer.files[0])
  }
  return (
    <div
      onDragOver={(event) => event.preventDefault()}
      onDrop={onDrop}
      className="border-strong bg-surface flex flex-col items-center gap-3 rounded-lg border border-dashed px-6 py-14 text-center"
    >
      <span className="bg-hover text-faint grid size-10 place-items-center rounded-full">
        <Icon name="upload" size={18} />
      </span>
      <input
        ref={input}
        type="file"
        aria-label={t.choose}
        accept=".ndjson,.jsonl,.csv"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => void choose(event.target.files?.[0])}
      />
      <Button look="primary" onClick={() => input.current?.click()}>
        {t.choose}
      </Button>
      <p className="text-soft max-w-sm">{t.drop}</p>
    </div>
  )
}

type WorkProps = Omit<ReturnType<typeof useImport>, 'file'> & { file: ImportFile }

function Work({ file, setFile, outcome, share, check, store, open }: WorkProps) {
  const t = useTexts(importTexts)
  const isBusy = check.isPending || store.isPending
  const error = check.error ?? store.error
  return (
    <>
      <Card
        title={`${file.name} · ${fillIn(t.lines, { count: count(file.lines.filter(Boolean).length) })}`}
        action={
          <Button isSmall disabled={isBusy} onClick={() => open(null)}>
            {t.other}
          </Button>
        }
      >
        <div className="flex flex-col gap-4">
          {file.record && (
            <div className="max-w-72">
              <SelectField
                label={t.record}
                value={file.record}
                disabled={isBusy}
                onChange={(event) => open({ ...file, record: event.target.value as RecordName })}
                choices={recordNames.map((it) => [it, it] as const)}
              />
            </div>
          )}
          {isBusy && <Progress text={store.isPending ? t.importing : t.checking} share={share} />}
          {error && <Failure error={error} onRetry={() => open(file)} />}
          {!isBusy && !error && outcome && (
            <Summary outcome={outcome} onCheck={() => open(file)} onImport={() => store.mutate(file)} />
          )}
        </div>
      </Card>
      {!isBusy && outcome && outcome.report.refused > 0 && (
        <Refusals
          report={outcome.report}
          file={file}
          onChange={(line, text) => setFile(withLine(file, line, text))}
        />
      )}
    </>
  )
}

const Progress = ({ text, share }: { text: string; share: number }) => (
  <div className="flex items-center gap-3" aria-live="polite">
    <span className="text-soft">{text}</span>
    <progress aria-label={text} max={1} {...(share > 0 && { value: share })} className="h-1.5 flex-1" />
  </div>
)

const Figure = ({ label, value }: { label: string; value: string }) => (
  <div className="bg-canvas rounded-md px-3 py-2">
    <p className="text-soft text-xs">{label}</p>
    <p className="figures text-lg font-semibold">{value}</p>
  </div>
)

interface SummaryProps {
  outcome: Outcome
  onCheck(): void
  onImport(): void
}

function Summary({ outcome: { kind, report }, onCheck, onImport }: SummaryProps) {
  const t = useTexts(importTexts)
  const navigate = useNavigate()
  const isChecked = kind === 'checked'
  return (
    <>
      <div className="grid grid-cols-2 gap-3 md:grid-cols-4">
        <Figure label={t.read} value={count(report.read)} />
        <Figure label={isChecked ? t.wouldStore : t.stored} value={count(report.stored)} />
        <Figure label={t.unchanged} value={count(report.unchanged)} />
        <Figure label={t.refused} value={count(report.refused)} />
      </div>
      <div className="flex flex-wrap items-center gap-3" role="status">
        {report.refused > 0 ? (
          <Button look="primary" onClick={onCheck}>
            {t.check}
          </Button>
        ) : (
          <span className="text-good flex items-center gap-1.5 font-medium">
            <Icon name="check" /> {isChecked ? t.allGood : t.done}
          </span>
        )}
        {isChecked && report.stored > 0 && (
          <Button look={report.refused > 0 ? 'secondary' : 'primary'} onClick={onImport}>
            {report.refused > 0 ? fillIn(t.importValid, { count: count(report.stored) }) : t.import}
          </Button>
        )}
        {!isChecked && <Button onClick={() => void navigate({ to: '/products' })}>{t.products}</Button>}
      </div>
    </>
  )
}

function Export() {
  const t = useTexts(importTexts)
  const { bozor, environment } = useSession()
  const toast = useToast()
  const load = useMutation({
    mutationFn: () => bozor.records.export({}, { timeoutMs: 600_000 }),
    onSuccess: (text) => save(text, `bozor-${environment}.ndjson`),
    onError: (error) => toast({ text: error.message, tone: 'bad' }),
  })
  return (
    <Card title={t.exportTitle}>
      <div className="flex flex-wrap items-center gap-3">
        <Button isBusy={load.isPending} onClick={() => load.mutate()}>
          {t.export}
        </Button>
        <p className="text-soft">{t.exportText}</p>
      </div>
    </Card>
  )
}

function save(text: string, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/x-ndjson' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
