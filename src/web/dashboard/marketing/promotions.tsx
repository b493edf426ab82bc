// Promotions on a timeline, with a form for a new one.

import { useState } from 'react'
import { useData } from '../app/data.ts'
import { useCategoryChoices } from '../catalog/category-choices.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Button } from '../ui/button.tsx'
import { Card, PageHead } from '../ui/card.tsx'
import { FormDialog } from '../ui/form.tsx'
import { Empty, Failure, SkeletonRows } from '../ui/states.tsx'
import { Conflicts } from './promotion-conflicts.tsx'
import { promotionTexts } from './promotion-texts.ts'
import { Timeline } from './promotion-timeline.tsx'

export function Page() {
  const t = useTexts(promotionTexts)
  const { can } = useSession()
  const [isPlanning, setIsPlanning] = useState(false)
  const found = useData(['promotions'], (bozor) =>
    bozor.promotions.list({ sort: '-starts_at', per_page: 100 }),
  )
  const conflicts = useData(['promotions', 'conflicts'], (bozor) => bozor.promotions.listConflicts())
  const plan = can('marketing:write') && (
    <Button look="primary" icon="plus" onClick={() => setIsPlanning(true)}>
      {t.plan}
    </Button>
  )
  return (
    <>
      <PageHead title={t.title} text={t.text}>
        {plan}
      </PageHead>
      <Card isFlush>
        {found.error ? (
          <Failure error={found.error} onRetry={() => void found.refetch()} />
        ) : !found.data ? (
          <SkeletonRows />
        ) : found.data.items.length === 0 ? (
          <Empty icon="promotions" title={t.none} text={t.noneText}>
            {plan}
          </Empty>
        ) : (
          <Timeline promotions={found.data.items} conflicts={conflicts.data?.conflicts ?? []} />
        )}
      </Card>
      {found.data && conflicts.data && conflicts.data.conflicts.length > 0 && (
        <div className="mt-4">
          <Conflicts promotions={found.data.items} found={conflicts.data} />
        </div>
      )}
      {isPlanning && <PlanForm onClose={() => setIsPlanning(false)} />}
    </>
  )
}

const idsOf = (text: string | undefined): string[] => (text ?? '').split(/[\s,]+/).filter(Boolean)

function PlanForm({ onClose }: { onClose(): void }) {
  const t = useTexts(promotionTexts)
  const categories = useCategoryChoices()
  const instant = (text: string | undefined) => (text ? new Date(text).toISOString() : undefined)
  return (
    <FormDialog
      title={t.plan}
      submit={t.plan}
      done={t.planned}
      refreshes={['promotions', 'offers', 'products']}
      fields={[
        { name: 'title', label: t.name, hint: t.nameHint },
        { name: 'title_uz', label: t.nameUz, isOptional: true },
        { name: 'title_en', label: t.nameEn, isOptional: true },
        { name: 'slug', label: t.slug, hint: 'spring-sale' },
        { name: 'discount_percent', label: t.discount, kind: 'number', value: '10' },
        { name: 'offer_ids', label: t.offers },
        {
          name: 'category_ids',
          label: t.category,
          kind: 'select',
          choices: [['', t.noCategory], ...(categories.data ?? [])],
        },
        { name: 'starts_at', label: t.from, kind: 'datetime-local' },
        { name: 'ends_at', label: t.until, kind: 'datetime-local' },
      ]}
      run={(bozor, values) => {
        const [starts_at, ends_at] = [instant(values['starts_at']), instant(values['ends_at'])]
        return bozor.promotions.create({
          title: values['title'] ?? '',
          ...(values['title_uz'] && { title_uz: values['title_uz'] }),
          ...(values['title_en'] && { title_en: values['title_en'] }),
          slug: values['slug'] ?? '',
          discount_percent: Number(values['discount_percent']),
          offer_ids: idsOf(values['offer_ids']),
          category_ids: idsOf(values['category_ids']),
          ...(starts_at && { starts_at }),
          ...(ends_at && { ends_at }),
        } as never)
      }}
      onClose={onClose}
    />
  )
}
