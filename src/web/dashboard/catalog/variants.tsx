// The variants of a product, such as colours and sizes: how they differ, and how many offers each has.

import { useState } from 'react'
import type { ProductDetail, ProductVariant } from '../../../sdk/index.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { FormDialog } from '../ui/form.tsx'
import { Empty } from '../ui/states.tsx'

const table = {
  variants: ['Variants', 'Варианты', 'Variantlar'],
  none: ['No variants', 'Вариантов нет', 'Variantlar yo‘q'],
  noneText: [
    'Colours or sizes that a buyer chooses from.',
    'Цвета или размеры, из которых выбирает покупатель.',
    'Xaridor tanlaydigan ranglar yoki o‘lchamlar.',
  ],
  add: ['Add', 'Добавить', 'Qo‘shish'],
  edit: ['Edit', 'Изменить', 'Tahrirlash'],
  remove: ['Delete', 'Удалить', 'O‘chirish'],
  removeText: [
    'A variant that offers use cannot be deleted: delete its offers first.',
    'Вариант с предложениями удалить нельзя: сначала удалите предложения.',
    'Takliflari bor variantni o‘chirib bo‘lmaydi: avval takliflarni o‘chiring.',
  ],
  name: ['Name', 'Название', 'Nomi'],
  attributes: [
    'Attributes, one per line: color=black',
    'Свойства, по одному в строке: color=black',
    'Xususiyatlar, har biri yangi qatorda: color=black',
  ],
  save: ['Save', 'Сохранить', 'Saqlash'],
  saved: ['Saved', 'Сохранено', 'Saqlandi'],
  removed: ['Deleted', 'Удалено', 'O‘chirildi'],
  offers: ['Offers', 'Предложений', 'Takliflar'],
} as const

type Change = { kind: 'add' } | { kind: 'edit' | 'remove'; variant: ProductVariant }

export function Variants({ product }: { product: ProductDetail }) {
  const t = useTexts(table)
  const { can } = useSession()
  const [change, setChange] = useState<Change | null>(null)
  const isEditor = can('catalog:write')
  return (
    <Card
      title={t.variants}
      isFlush
      action={
        isEditor && (
          <Button isSmall icon="plus" onClick={() => setChange({ kind: 'add' })}>
            {t.add}
          </Button>
        )
      }
    >
      {product.variants.length === 0 && <Empty icon="products" title={t.none} text={t.noneText} />}
      <ul className="divide-line divide-y">
        {product.variants.map((it) => (
          <li key={it.id} className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2">
            {it.images[0] ? (
              <img
                src={it.images[0].sm_path}
                alt=""
                width="40"
                height="40"
                loading="lazy"
                className="border-line bg-canvas size-10 rounded border object-contain"
              />
            ) : (
              <span className="bg-hover size-10 rounded" />
            )}
            <div className="min-w-40 flex-1">
              <div className="font-medium">{it.name}</div>
              <div className="text-soft text-xs">
                {Object.entries(it.attributes)
                  .map(([name, value]) => `${name}: ${value}`)
                  .join(' · ')}
              </div>
            </div>
            <span className="text-soft text-xs tabular-nums">
              {t.offers}: {product.offers.filter((one) => one.variant_id === it.id).length}
            </span>
            {isEditor && (
              <div className="flex gap-2">
                <Button isSmall onClick={() => setChange({ kind: 'edit', variant: it })}>
                  {t.edit}
                </Button>
                <Button isSmall look="danger" onClick={() => setChange({ kind: 'remove', variant: it })}>
                  {t.remove}
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
      {change && <ChangeVariant product={product} change={change} onClose={() => setChange(null)} />}
    </Card>
  )
}

interface ChangeProps {
  product: ProductDetail
  change: Change
  onClose(): void
}

function ChangeVariant({ product, change, onClose }: ChangeProps) {
  const t = useTexts(table)
  const { language } = useSession()
  const shared = { refreshes: ['products'], onClose }
  if (change.kind === 'remove')
    return (
      <FormDialog
        {...shared}
        title={`${t.remove}: ${change.variant.name}`}
        text={t.removeText}
        submit={t.remove}
        isDanger
        done={t.removed}
        fields={[]}
        run={(bozor) => bozor.variants.delete({ variant_id: change.variant.id })}
      />
    )
  const known = change.kind === 'edit' ? change.variant : undefined
  const lines = Object.entries(known?.attributes ?? {}).map(([name, value]) => `${name}=${value}`)
  return (
    <FormDialog
      {...shared}
      title={known ? `${t.edit}: ${known.name}` : t.add}
      submit={t.save}
      done={t.saved}
      fields={[
        { name: 'name', label: `${t.name} (${language})`, value: known?.name ?? '' },
        {
          name: 'attributes',
          label: t.attributes,
          value: lines.join('\n'),
          kind: 'area',
          isOptional: true,
        },
      ]}
      run={(bozor, values) => {
        const fields = {
          name: { [language]: values['name'] ?? '' },
          attributes: attributesOf(values['attributes'] ?? ''),
        }
        return known
          ? bozor.variants.update({ variant_id: known.id, ...fields })
          : bozor.variants.create({ product_id: product.id, ...fields })
      }}
    />
  )
}

const attributesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .map((it) => it.split('='))
      .filter(([name]) => name?.trim())
      .map(([name = '', ...value]) => [name.trim(), value.join('=').trim()]),
  )
