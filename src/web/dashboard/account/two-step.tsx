// Two-step sign-in: password, QR code and first code, then recovery codes that are shown once.

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Operations } from '../../../sdk/index.ts'
import { useData } from '../app/data.ts'
import { meKey, useTexts } from '../app/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { CopyText } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FormDialog } from '../ui/form.tsx'
import { Failure, Skeleton } from '../ui/states.tsx'
import { qrCode } from './qr-code.ts'
import { accountTexts } from './texts.ts'

type Secret = Operations['members.beginTwoStep']['reply']
type Step =
  | { kind: 'password' | 'off' | 'renew' }
  | { kind: 'confirm'; secret: Secret }
  | { kind: 'codes'; codes: string[] }

const refreshes = ['two-step']

export function TwoStep() {
  const t = useTexts(accountTexts)
  const [step, setStep] = useState<Step | null>(null)
  const found = useData(['two-step'], (bozor) => bozor.members.getTwoStep())
  if (found.error) return <Failure error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <Skeleton className="h-32" />
  const { enabled, recovery_codes_left: left } = found.data
  return (
    <Card
      title={t.twoStep}
      action={<Badge text={enabled ? t.on : t.off} tone={enabled ? 'good' : 'neutral'} />}
    >
      <div className="flex flex-col gap-3">
        <p className="text-soft max-w-prose">{t.twoStepText}</p>
        {enabled && (
          <p className={left < 3 ? 'text-warn' : ''}>
            {t.codesLeft}: <span className="figures">{left}</span>
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          {enabled ? (
            <>
              <Button onClick={() => setStep({ kind: 'renew' })}>{t.newCodes}</Button>
              <Button look="danger" onClick={() => setStep({ kind: 'off' })}>
                {t.turnOff}
              </Button>
            </>
          ) : (
            <Button look="primary" onClick={() => setStep({ kind: 'password' })}>
              {t.turnOn}
            </Button>
          )}
        </div>
      </div>
      {step && <Dialogs step={step} setStep={setStep} />}
    </Card>
  )
}

function Dialogs({ step, setStep }: { step: Step; setStep(step: Step | null): void }) {
  const t = useTexts(accountTexts)
  const onClose = () => setStep(null)
  if (step.kind === 'codes') return <Codes codes={step.codes} onClose={onClose} />
  if (step.kind === 'confirm') return <Confirm secret={step.secret} setStep={setStep} />
  if (step.kind === 'password')
    return (
      <FormDialog
        title={t.twoStep}
        submit={t.continue}
        refreshes={[]}
        fields={[{ name: 'password', label: t.current, kind: 'password' }]}
        run={(bozor, values) => bozor.members.beginTwoStep({ password: values['password'] ?? '' })}
        onDone={(secret) => setStep({ kind: 'confirm', secret })}
        onClose={onClose}
      />
    )
  const code = [{ name: 'code', label: t.code, hint: t.anyCode }]
  return step.kind === 'off' ? (
    <FormDialog
      title={t.turnOff}
      submit={t.turnOff}
      isDanger
      done={t.turnedOff}
      refreshes={refreshes}
      fields={code}
      run={(bozor, values) => bozor.members.disableTwoStep({ code: values['code']?.trim() ?? '' })}
      onClose={onClose}
    />
  ) : (
    <FormDialog
      title={t.newCodes}
      submit={t.continue}
      refreshes={refreshes}
      fields={code}
      run={(bozor, values) => bozor.members.renewRecoveryCodes({ code: values['code']?.trim() ?? '' })}
      onDone={(reply) => setStep({ kind: 'codes', codes: reply.recovery_codes ?? [] })}
      onClose={onClose}
    />
  )
}

function Confirm({ secret, setStep }: { secret: Secret; setStep(step: Step | null): void }) {
  const t = useTexts(accountTexts)
  return (
    <FormDialog
      title={t.twoStep}
      text={t.scan}
      above={
        <>
          {secret.uri && <Picture text={secret.uri} />}
          {secret.secret && (
            <div className="flex flex-col gap-1">
              <span className="font-medium">{t.secret}</span>
              <CopyText label={t.secret} value={secret.secret} />
            </div>
          )}
        </>
      }
      submit={t.turnOn}
      refreshes={refreshes}
      fields={[{ name: 'code', label: t.code, hint: t.codeHint }]}
      run={(bozor, values) => bozor.members.confirmTwoStep({ code: values['code']?.trim() ?? '' })}
      onDone={(reply) => setStep({ kind: 'codes', codes: reply.recovery_codes ?? [] })}
      onClose={() => setStep(null)}
    />
  )
}

const quietModules = 4

/** Dark on white in both themes: readers expect it. */
function Picture({ text }: { text: string }) {
  const t = useTexts(accountTexts)
  const rows = qrCode(text)
  if (!rows) return null
  const size = rows.length + quietModules * 2
  const path = rows
    .flatMap((row, y) =>
      row.map((isDark, x) => (isDark ? `M${x + quietModules} ${y + quietModules}h1v1h-1z` : '')),
    )
    .join('')
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={t.qr}
      shapeRendering="crispEdges"
      className="mx-auto size-52 rounded-md bg-white"
    >
      <path d={path} fill="#000" />
    </svg>
  )
}

function Codes({ codes, onClose }: { codes: string[]; onClose(): void }) {
  const t = useTexts(accountTexts)
  const queries = useQueryClient()
  // The member may have gained access by it, so the scopes are read again.
  const close = () => {
    onClose()
    void queries.invalidateQueries({ queryKey: meKey })
  }
  return (
    <Dialog title={t.codes} isOpen onClose={close}>
      <div className="flex flex-col gap-4 p-4">
        <p className="bg-warn-soft text-warn rounded-md px-3 py-2">{t.codesText}</p>
        <ul aria-label={t.codes} className="grid grid-cols-2 gap-x-6 gap-y-1 font-mono">
          {codes.map((it) => (
            <li key={it}>{it}</li>
          ))}
        </ul>
        <CopyText label={t.codes} value={codes.join(' ')} />
        <Button look="primary" className="self-end" onClick={close}>
          {t.keep}
        </Button>
      </div>
    </Dialog>
  )
}
