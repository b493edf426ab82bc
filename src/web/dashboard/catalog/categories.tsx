// Categories as a tree: drag one onto its new parent, or choose the parent in a list.

import { type DragEvent, useState } from 'react'
import type { Category } from '../../../sdk/index.ts'
import { useAction } from '../app/data.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Button } from '../ui/button.tsx'
import { Card, PageHead } from '../ui/card.tsx'
import { FormDialog } from '../ui/form.tsx'
import { Empty, Failure, SkeletonRows } from '../ui/states.tsx'
import { useCategoryTree } from './category-choices.ts'
import { possibleParents, type Row } from './category-tree.ts'

const table = {
  title: ['Categories', 'Категории', 'Turkumlar'],
  text: [
    'Drag a category onto its new parent, or choose the parent with Move.',
    'Перетащите категорию на новую родительскую или выберите её кнопкой «Переместить».',
    'Turkumni yangi ota turkumga torting yoki «Ko‘chirish» bilan tanlang.',
  ],
  add: ['New category', 'Новая категория', 'Yangi turkum'],
  rename: ['Rename', 'Переименовать', 'Nomini o‘zgartirish'],
  move: ['Move', 'Переместить', 'Ko‘chirish'],
  name: ['Name', 'Название', 'Nomi'],
  slug: ['Short name in addresses', 'Имя в адресе', 'Manzildagi nom'],
  slugHint: [
    'Small letters, digits and hyphens',
    'Строчные латинские буквы, цифры и дефисы',
    'Kichik lotin harflari, raqamlar va chiziqchalar',
  ],
  parent: ['Parent', 'Родительская категория', 'Ota turkum'],
  top: ['None (top level)', 'Нет (верхний уровень)', 'Yo‘q (yuqori daraja)'],
  save: ['Save', 'Сохранить', 'Saqlash'],
  saved: ['Saved', 'Сохранено', 'Saqlandi'],
  none: ['No categories yet', 'Категорий пока нет', 'Hali turkum yo‘q'],
} as const

export function Page() {
  const t = useTexts(table)
  const { can } = useSession()
  const [isAdding, setIsAdding] = useState(false)
  const found = useCategoryTree()
  const mayWrite = can('catalog:write')
  return (
    <>
      <PageHead title={t.title} {...(mayWrite && { text: t.text })}>
        {mayWrite && (
          <Button look="primary" icon="plus" onClick={() => setIsAdding(true)}>
            {t.add}
          </Button>
        )}
      </PageHead>
      <Card isFlush>
        {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
        {!found.data && !found.error && <SkeletonRows />}
        {found.data?.length === 0 && <Empty icon="products" title={t.none} />}
        {found.data && found.data.length > 0 && <Tree rows={found.data} mayWrite={mayWrite} />}
      </Card>
      {isAdding && <AddCategory rows={found.data ?? []} onClose={() => setIsAdding(false)} />}
    </>
  )
}

type Rows = Row<Category>[]

function Tree({ rows, mayWrite }: { rows: Rows; mayWrite: boolean }) {
  const t = useTexts(table)
  const [moved, setMoved] = useState<Category | null>(null)
  const [renamed, setRenamed] = useState<Category | null>(null)
  const [dragged, setDragged] = useState<string | null>(null)
  const move = useAction(
    (bozor, to: { category: string; parent: string }) =>
      bozor.categories.update({ category_id: to.category, parent_id: to.parent }),
    { refreshes: ['categories'], done: t.saved },
  )
  const targets = new Set(dragged === null ? [] : possibleParents(rows, dragged).map((it) => it.id))
  const dragging = (id: string) => ({
    draggable: true,
    onDragStart: () => setDragged(id),
    onDragEnd: () => setDragged(null),
    onDragOver: (event: DragEvent) => targets.has(id) && event.preventDefault(),
    onDrop: () => dragged !== null && targets.has(id) && move.mutate({ category: dragged, parent: id }),
  })
  return (
    <>
      <ul className="divide-line divide-y">
        {rows.map(({ category, depth }) => (
          <li
            key={category.id}
            {...(mayWrite && dragging(category.id))}
            className={`flex h-11 items-center gap-3 pr-4 ${indents[Math.min(depth, indents.length - 1)]} ${targets.has(category.id) ? 'bg-accent-soft' : ''}`}
          >
            <span className="min-w-0 truncate font-medium">{category.name}</span>
            <span className="text-soft min-w-0 flex-1 truncate font-mono text-xs">{category.slug}</span>
            {mayWrite && (
              <>
                <Button isSmall look="ghost" onClick={() => setRenamed(category)}>
                  {t.rename}
                </Button>
                <Button isSmall look="ghost" onClick={() => setMoved(category)}>
                  {t.move}
                </Button>
              </>
            )}
          </li>
        ))}
      </ul>
      {moved && <MoveCategory category={moved} rows={rows} onClose={() => setMoved(null)} />}
      {renamed && <RenameCategory category={renamed} onClose={() => setRenamed(null)} />}
    </>
  )
}

const indents = ['pl-4', 'pl-10', 'pl-16', 'pl-22', 'pl-28']

interface MoveProps {
  category: Category
  rows: Rows
  onClose(): void
}

function MoveCategory({ category, rows, onClose }: MoveProps) {
  const t = useTexts(table)
  const parents = possibleParents(rows, category.id)
  return (
    <FormDialog
      title={`${t.move}: ${category.name}`}
      submit={t.save}
      done={t.saved}
      refreshes={['categories']}
      fields={[
        {
          name: 'parent_id',
          label: t.parent,
          kind: 'select',
          value: category.parent_id ?? '',
          choices: [['', t.top], ...parents.map((it) => [it.id, it.name] as const)],
        },
      ]}
      run={(bozor, values) =>
        bozor.categories.update({ category_id: category.id, parent_id: values['parent_id'] || null })
      }
      onClose={onClose}
    />
  )
}

/** In the language of the member; the names in other languages stay. */
function RenameCategory({ category, onClose }: Omit<MoveProps, 'rows'>) {
  const t = useTexts(table)
  const { language } = useSession()
  return (
    <FormDialog
      title={`${t.rename}: ${category.name}`}
      submit={t.save}
      done={t.saved}
      refreshes={['categories', 'products']}
      fields={[{ name: 'name', label: `${t.name} (${language})`, value: category.name }]}
      run={(bozor, values) =>
        bozor.categories.update({ category_id: category.id, name: { [language]: values['name'] ?? '' } })
      }
      onClose={onClose}
    />
  )
}

function AddCategory({ rows, onClose }: { rows: Rows; onClose(): void }) {
  const t = useTexts(table)
  const { language } = useSession()
  return (
    <FormDialog
      title={t.add}
      submit={t.save}
      done={t.saved}
      refreshes={['categories']}
      fields={[
        { name: 'name', label: `${t.name} (${language})` },
        { name: 'slug', label: t.slug, hint: t.slugHint },
        {
          name: 'parent_id',
          label: t.parent,
          kind: 'select',
          choices: [['', t.top], ...rows.map(({ category }) => [category.id, category.name] as const)],
        },
      ]}
      run={(bozor, values) =>
        bozor.categories.create({
          name: { [language]: values['name'] ?? '' },
          slug: values['slug'] ?? '',
          parent_id: values['parent_id'] || null,
        })
      }
      onClose={onClose}
    />
  )
}
