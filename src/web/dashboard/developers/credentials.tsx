import { useEffect } from 'react'
import { useTexts } from '../app/session.tsx'
import { Button } from '../ui/button.tsx'
import { CopyText } from '../ui/copy.tsx'
import { applicationTexts } from './texts.ts'

export interface Issued {
  clientId: string
  apiKey: string | null
  clientSecret?: string | null
}

/** The reference at /docs fills its examples with a test key: in this tab, and at once in tabs that are open. */
function offerToReference(apiKey: string | null): void {
  if (!apiKey?.startsWith('ak_test_')) return
  sessionStorage.setItem('bozor-key', apiKey)
  const tabs = new BroadcastChannel('bozor-key')
  tabs.postMessage(apiKey)
  tabs.close()
}

/** Credentials that the server does not show again, with a first command to try them. */
export function Credentials({ issued, onClose }: { issued: Issued; onClose(): void }) {
  const t = useTexts(applicationTexts)
  const { clientId, apiKey, clientSecret } = issued
  useEffect(() => offerToReference(apiKey), [apiKey])
  const rows = [
    [t.apiKey, apiKey],
    [t.clientId, clientId],
    [t.clientSecret, clientSecret],
  ] as const
  return (
    <div className="flex flex-col gap-4 p-4">
      <p className="bg-warn-soft text-warn rounded-md px-3 py-2">{t.copyNow}</p>
      {rows.map(
        ([label, value]) =>
          value && (
            <div key={label} className="flex flex-col gap-1">
              <span className="font-medium">{label}</span>
              <CopyText label={label} value={value} />
            </div>
          ),
      )}
      {apiKey && (
        <div className="flex flex-col gap-1">
          <span className="font-medium">{t.tryIt}</span>
          <CopyText
            label={t.tryIt}
            value={`curl -s '${location.origin}/v1/catalog/products?per_page=1' -H 'Authorization: Bearer ${apiKey}'`}
          />
        </div>
      )}
      <Button look="primary" className="self-end" onClick={onClose}>
        {t.ready}
      </Button>
    </div>
  )
}
