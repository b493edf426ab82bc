// Pictures of a product: upload, order and removal. The first one is shown in lists.

import { type DragEvent, useRef } from 'react'
import type { Bozor, ProductDetail } from '../../../sdk/index.ts'
import { useAction } from '../app/data.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'

const table = {
  pictures: ['Pictures', 'Изображения', 'Rasmlar'],
  upload: ['Upload', 'Загрузить', 'Yuklash'],
  choose: ['Choose pictures', 'Выбрать изображения', 'Rasmlarni tanlash'],
  hint: [
    'JPEG, PNG or WebP up to 10 MB. Drop files here. The first picture is shown in lists.',
    'JPEG, PNG или WebP до 10 МБ. Перетащите файлы сюда. Первое изображение видно в списках.',
    '10 MB gacha JPEG, PNG yoki WebP. Fayllarni shu yerga tashlang. Birinchi rasm ro‘yxatlarda ko‘rinadi.',
  ],
  generated: [
    'No picture yet: a generated one is shown.',
    'Изображения пока нет: показывается сгенерированное.',
    'Hali rasm yo‘q: avtomatik chizilgani ko‘rsatiladi.',
  ],
  first: ['Show first', 'Сделать первым', 'Birinchi qilish'],
  remove: ['Remove', 'Удалить', 'O‘chirish'],
  saved: ['Pictures saved', 'Изображения сохранены', 'Rasmlar saqlandi'],
} as const

type Image = ProductDetail['images'][number]

const isGenerated = ({ lg_path }: Image): boolean => lg_path.includes('/pictures/products/')

/** Uploaded pictures are stored as paths, so that they survive a change of the public address. */
const stored = (it: Image): Image => {
  const path = (url: string) => url.replace(/^https?:\/\/[^/]+(?=\/pictures\/uploads\/)/, '')
  return { lg_path: path(it.lg_path), md_path: path(it.md_path), sm_path: path(it.sm_path) }
}

async function uploadAll(bozor: Bozor, files: readonly File[]): Promise<Image[]> {
  const images: Image[] = []
  for (const file of files) {
    const body = new Uint8Array(await file.arrayBuffer())
    const { picture } = await bozor.pictures.create({ body }, { headers: { 'Content-Type': file.type } })
    const { lg_path, md_path, sm_path } = picture
    images.push({ lg_path, md_path, sm_path })
  }
  return images
}

export function Pictures({ product }: { product: ProductDetail }) {
  const t = useTexts(table)
  const { can } = useSession()
  const images = product.images.filter((it) => !isGenerated(it)).map(stored)
  const save = useAction(
    async (bozor, change: { files?: readonly File[]; images: Image[] }) => {
      const added = await uploadAll(bozor, change.files ?? [])
      return bozor.products.update({ product_id: product.id, images: [...change.images, ...added] })
    },
    { refreshes: ['products'], done: t.saved },
  )
  const add = (list: FileList | null) => {
    if (list && list.length > 0) save.mutate({ files: [...list], images })
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    add(event.dataTransfer.files)
  }
  const mayWrite = can('catalog:write')
  return (
    <Card title={t.pictures} {...(mayWrite && { action: <Upload isBusy={save.isPending} onChoose={add} /> })}>
      <div
        {...(mayWrite && { onDrop, onDragOver: (event: DragEvent) => event.preventDefault() })}
        className="flex flex-col gap-3"
      >
        <ul className="grid grid-cols-2 gap-2">
          {(images.length > 0 ? images : product.images).map((it, at) => (
            <Picture
              key={it.lg_path}
              image={it}
              isWide={at === 0}
              {...(mayWrite &&
                images.length > 0 && {
                  onRemove: () => save.mutate({ images: images.toSpliced(at, 1) }),
                  ...(at > 0 && {
                    onFirst: () => save.mutate({ images: [it, ...images.toSpliced(at, 1)] }),
                  }),
                })}
            />
          ))}
        </ul>
        <p className="text-soft text-xs">
          {images.length === 0 && `${t.generated} `}
          {mayWrite && t.hint}
        </p>
      </div>
    </Card>
  )
}

function Upload({ isBusy, onChoose }: { isBusy: boolean; onChoose(files: FileList | null): void }) {
  const t = useTexts(table)
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        aria-label={t.choose}
        accept="image/jpeg,image/png,image/webp"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => onChoose(event.target.files)}
      />
      <Button isSmall icon="upload" isBusy={isBusy} onClick={() => input.current?.click()}>
        {t.upload}
      </Button>
    </>
  )
}

interface PictureProps {
  image: Image
  isWide: boolean
  onRemove?: () => void
  onFirst?: () => void
}

function Picture({ image, isWide, onRemove, onFirst }: PictureProps) {
  const t = useTexts(table)
  return (
    <li
      className={`border-line bg-canvas relative grid place-items-center rounded-md border p-2 ${isWide ? 'col-span-2' : ''}`}
    >
      <img
        src={isWide ? image.md_path : image.sm_path}
        alt=""
        className={`max-w-full object-contain ${isWide ? 'h-52' : 'h-24'}`}
      />
      {onRemove && (
        <span className="bg-surface border-line absolute top-1.5 right-1.5 flex rounded-md border">
          {onFirst && <IconButton icon="up" label={t.first} onClick={onFirst} />}
          <IconButton icon="trash" label={t.remove} onClick={onRemove} />
        </span>
      )}
    </li>
  )
}
