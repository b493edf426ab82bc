import { Type } from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { inLanguage, type Language } from '../../http/language.ts'
import { idFilter, listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import { del, get, patch, post, put } from '../../http/route.ts'
import {
  changes,
  httpUrl,
  id,
  idText,
  instant,
  integer,
  list,
  named,
  nullable,
  slug,
  strict,
  localizedText,
} from '../../http/schema.ts'
import { maxLevel, type Category, type CategoryRecord } from './category.ts'
import { changeCategory, createCategory, deleteCategory } from './edit-categories.ts'
import { categoryPicturePath } from '../pictures/pages.ts'
import { idOrNull, recordId, recordIdOrNull } from '../entities/record-forms.ts'
import { categoryWithSlug } from './slugs-store.ts'
import * as store from './store.ts'

/** SPEC-1 2.2, field by field. */
const categoryReply = named(
  'Category',
  Type.Object({
    id: idText,
    name: Type.String({ examples: ['Телефоны'] }),
    slug: Type.String({ examples: ['phones'] }),
    description: Type.String({ examples: ['Смартфоны и кнопочные телефоны.'] }),
    parent_id: nullable(idText),
    level: integer(0, maxLevel),
    image_url: httpUrl,
    created_at: instant,
    updated_at: instant,
  }),
)
const oneCategory = Type.Object({ category: categoryReply })
const categoryFields = {
  parent_id: Type.Optional(recordIdOrNull),
  slug,
  name: localizedText(200),
  description: Type.Optional(localizedText(5_000)),
  image_url: Type.Optional(nullable(httpUrl)),
}
const categoryEvents = ['CategoryCreated', 'CategoryChanged', 'CategoryDeleted'] as const

interface Reading {
  language: Language
  origin: string
}

const categoryView = (it: Category, { language, origin }: Reading) => ({
  id: String(it.id),
  name: inLanguage(it.name, language),
  slug: it.slug,
  description: inLanguage(it.description, language),
  parent_id: it.parentId === null ? null : String(it.parentId),
  level: it.level,
  image_url: it.imageUrl ?? origin + categoryPicturePath(it.slug),
  created_at: it.createdAt.toISOString(),
  updated_at: it.updatedAt.toISOString(),
})
const categoryAnswer = (it: Category, reading: Reading) => ({
  data: { category: categoryView(it, reading) },
  version: it.version,
})

/** A complete record: omitted fields are empty. */
const categoryRecord = (sent: {
  id?: number | string
  parent_id?: number | string | null
  slug: string
  name: CategoryRecord['name']
  description?: CategoryRecord['description']
  image_url?: string | null
}): CategoryRecord => ({
  ...(sent.id !== undefined && { id: Number(sent.id) }),
  parentId: idOrNull(sent.parent_id ?? null),
  slug: sent.slug,
  name: sent.name,
  description: sent.description ?? {},
  imageUrl: sent.image_url ?? null,
})

export const categoryRoutes = [
  get('/v1/catalog/categories', {
    summary: 'List categories',
    description: 'The tree, flat: `level` 0 is the top, `parent_id` leads up.',
    scope: 'catalog:read',
    query: listQuery(store.categorySorts, {
      parent_id: idFilter('Only those directly below this category.'),
      level: Type.Optional(integer(0, maxLevel)),
      slug: Type.Optional(slug),
    }),
    reply: Type.Object({ categories: list(categoryReply, 100), pagination }),
    invalidateOn: categoryEvents,
    shed: 'first',
    run: async ({ read, query, language, origin }) => {
      const listing = listingOf(query, 'id')
      const parentId = query.parent_id === undefined ? undefined : Number(query.parent_id)
      const filter = { parentId, level: query.level, slug: query.slug }
      const slice = await store.listCategories(read, listing, { filter, language })
      const categories = slice.rows.map((it) => categoryView(it, { language, origin }))
      return { data: { categories, pagination: paginationView(listing, slice) } }
    },
  }),
  get('/v1/catalog/categories/{category_id}', {
    summary: 'Get a category',
    scope: 'catalog:read',
    params: { category_id: id },
    reply: oneCategory,
    invalidateOn: categoryEvents,
    shed: 'first',
    run: async ({ read, params, language, origin }) =>
      categoryAnswer(found(await store.findCategory(read, params.category_id)), { language, origin }),
  }),
  get('/v1/catalog/categories/by-slug/{slug}', {
    summary: 'Get a category by its slug',
    description:
      'An earlier slug of a renamed category is found too: then `moved_from` is that slug, and pages should redirect to the slug of the category.',
    scope: 'catalog:read',
    params: { slug },
    reply: Type.Object({
      category: categoryReply,
      moved_from: nullable(Type.String({ examples: ['old-name'] })),
    }),
    invalidateOn: categoryEvents,
    shed: 'first',
    run: async ({ read, params, language, origin }) => {
      const categoryId = await categoryWithSlug(read, params.slug)
      const category = categoryId === undefined ? undefined : await store.findCategory(read, categoryId)
      if (!category) throw refuse('not_found', { resource: 'category', id: params.slug })
      return {
        data: {
          category: categoryView(category, { language, origin }),
          moved_from: category.slug === params.slug ? null : params.slug,
        },
        version: category.version,
      }
    },
  }),
  post('/v1/catalog/categories', {
    summary: 'Create a category',
    scope: 'catalog:write',
    body: strict({ id: Type.Optional(recordId), ...categoryFields }),
    reply: oneCategory,
    creates: true,
    refusals: ['conflict'],
    run: async ({ tx, body, ...reading }) =>
      categoryAnswer(await createCategory(tx, categoryRecord(body)), reading),
  }),
  put('/v1/catalog/categories/{category_id}', {
    summary: 'Replace a category',
    scope: 'catalog:write',
    params: { category_id: id },
    body: strict(categoryFields),
    reply: oneCategory,
    versioned: true,
    refusals: ['conflict'],
    run: async ({ tx, params, body, ifMatch, ...reading }) =>
      categoryAnswer(
        await changeCategory(tx, params.category_id, { changes: categoryRecord(body), ifMatch }),
        reading,
      ),
  }),
  patch('/v1/catalog/categories/{category_id}', {
    summary: 'Change a category',
    description: 'A new `parent_id` moves the category with everything below it.',
    scope: 'catalog:write',
    params: { category_id: id },
    body: changes(categoryFields),
    reply: oneCategory,
    versioned: true,
    refusals: ['conflict'],
    run: async ({ tx, params, body, ifMatch, ...reading }) => {
      const { parent_id, image_url, ...same } = body
      const renamed = {
        ...same,
        ...(parent_id !== undefined && { parentId: idOrNull(parent_id) }),
        ...(image_url !== undefined && { imageUrl: image_url }),
      }
      return categoryAnswer(
        await changeCategory(tx, params.category_id, { changes: renamed, ifMatch }),
        reading,
      )
    },
  }),
  del('/v1/catalog/categories/{category_id}', {
    summary: 'Delete a category',
    description: 'Refused while it has child categories.',
    scope: 'catalog:write',
    params: { category_id: id },
    reply: oneCategory,
    versioned: true,
    refusals: ['conflict'],
    run: async ({ tx, params, ifMatch, ...reading }) =>
      categoryAnswer(await deleteCategory(tx, params.category_id, ifMatch), reading),
  }),
]

function found<T>(it: T | undefined): T {
  if (it === undefined) throw refuse('not_found')
  return it
}
