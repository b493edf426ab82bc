// The four list tasks: how each loads its files.

import { seededRandom, shuffled } from '../../ml/random.ts'
import { asItems, catalogOf, idLines, IdIndex, itemsOf, type Catalog } from './id-index.ts'
import { InputError, lineBatches, wholeText } from './read-lines.ts'
import {
  hitRate,
  mrr,
  ndcg,
  recall,
  maxSliceCases,
  type Case,
  type Slice,
  type ListTask,
} from '../../ml/selection/list-task.ts'

export interface TaskFiles {
  train: string
  test: string | undefined
  attributes: string | undefined
  seed: number
  lastItemOnly: boolean
  /** Baskets: the lines of train stand in time order. */
  oldestFirst: boolean
}

const userHoldout = 0.2
const sessionHoldout = 0.07
const basketHoldout = 0.1

export const loadListTask: Record<string, (files: TaskFiles) => Promise<ListTask>> = {
  users: usersTask,
  sequences: sequencesTask,
  sessions: sessionsTask,
  baskets: basketsTask,
}

/** `user item item …` a line; a slice hides a fifth of every user's items. */
async function usersTask(files: TaskFiles): Promise<ListTask> {
  const { train, test, catalog, known } = await bothFiles(files, userLists, userLists)
  const histories = new Map([...train].map(([user, ids]) => [user, unique(asItems(ids, known))]))
  const fit = [...histories.values()]
  const random = seededRandom(files.seed)
  const sliceFit: Int32Array[] = []
  const sliceCases: Case[] = []
  for (const history of fit) {
    const hidden = Uint8Array.from(history, () => (random() < userHoldout ? 1 : 0))
    const kept = history.filter((_, at) => hidden[at] === 0)
    const relevant = history.filter((_, at) => hidden[at] === 1)
    sliceFit.push(kept)
    if (kept.length > 0 && relevant.length > 0) sliceCases.push({ label: '', history: kept, relevant })
  }
  const cases = [...test].map(([label, ids]) => ({
    label,
    history: histories.get(label) ?? new Int32Array(),
    relevant: unique(asItems(ids, known)),
  }))
  return {
    ...catalog,
    slice: sliceOf(sliceFit, sliceCases, files.seed),
    fit,
    cases: () => cases.filter(({ relevant }) => relevant.length > 0),
    repeats: 'excluded',
    order: 'none',
    rows: 'unordered',
    measures: [recall(20), ndcg(20)],
  }
}

/** `user item item …` in time order, one file: the last item is queried, the last two are never fitted. */
async function sequencesTask(files: TaskFiles): Promise<ListTask> {
  if (files.test !== undefined)
    throw new InputError('sequences takes one file: its last items are the test; leave out --test')
  const idIndex = new IdIndex()
  const lists = await userLists(files.train, idIndex)
  const catalog = trainedCatalog(idIndex, files)
  const fit: Int32Array[] = []
  const sliceCases: Case[] = []
  const cases: Case[] = []
  for (const [label, places] of lists) {
    const items = asItems(places, catalog)
    const last = items.length - 1
    fit.push(items.subarray(0, Math.max(0, last - 1)))
    if (last >= 1) cases.push({ label, history: items.subarray(0, last), relevant: items.subarray(last) })
    if (last >= 2) {
      sliceCases.push({
        label,
        history: items.subarray(0, last - 1),
        relevant: items.subarray(last - 1, last),
      })
    }
  }
  if (cases.length === 0)
    throw new InputError(`${files.train}: no sequence has two items, so there is no test case`)
  const listTask: ListTask = {
    ...catalog,
    slice: sliceOf(fit, sliceCases, files.seed),
    fit,
    cases: () => cases,
    repeats: 'excluded',
    order: 'time',
    rows: 'unordered',
    measures: [hitRate(10), ndcg(10)],
  }
  if (files.attributes === undefined) return listTask
  return { ...listTask, alike: await attributeGroups(files.attributes, idIndex, catalog) }
}

/** Train: items of a session a line, oldest session first. Test: `prefix <TAB> next item`. */
async function sessionsTask(files: TaskFiles): Promise<ListTask> {
  const { train, test, catalog, known } = await bothFiles(files, idLines, prefixLines)
  const queried = (history: Int32Array) => (files.lastItemOnly ? history.slice(-1) : history)
  const fit = train.map(({ ids }) => asItems(ids, known))
  const { older, newest } = partedByAge(fit, sessionHoldout)
  const sliceCases: Case[] = []
  for (const [group, session] of newest.entries()) {
    for (let at = 1; at < session.length; at++) {
      sliceCases.push({
        label: '',
        history: queried(session.slice(0, at)),
        relevant: session.slice(at, at + 1),
        group,
      })
    }
  }
  return {
    ...catalog,
    slice: sliceOf(older, sliceCases, files.seed),
    fit,
    cases: () =>
      test.map(({ number, prefix, next }) => ({
        label: String(number),
        history: queried(asItems(prefix, known)),
        relevant: asItems(next, known),
      })),
    repeats: 'allowed',
    order: 'time',
    rows: 'oldest_first',
    measures: [hitRate(20), mrr(20)],
  }
}

/** Items of one order a line; every known item of a test order of two and more is hidden in turn. */
async function basketsTask(files: TaskFiles): Promise<ListTask> {
  const { train, test, catalog, known } = await bothFiles(files, idLines, idLines)
  const fit = train.map(({ ids }) => unique(asItems(ids, known)))
  const { older, newest } = partedByAge(fit, basketHoldout)
  const seen = new Uint8Array(catalog.items)
  for (const basket of older) for (const item of basket) seen[item] = 1
  const sliceCases = newest.flatMap((basket, group) =>
    hiddenInTurn(
      basket.filter((item) => seen[item] === 1),
      '',
    ).map((it) => ({ ...it, group })),
  )
  return {
    ...catalog,
    slice: sliceOf(older, sliceCases, files.seed),
    fit,
    *cases() {
      for (const { number, ids } of test)
        yield* hiddenInTurn(asItems(ids, known), `${number}.`, catalog.items)
    },
    repeats: 'excluded',
    order: 'none',
    rows: files.oldestFirst ? 'oldest_first' : 'unordered',
    measures: [hitRate(10), hitRate(20), mrr(20)],
  }
}

/** The last lines are held out, never all: in time order they are the newest, in no order they are as good as any. */
function partedByAge(lines: Int32Array[], heldOut: number): { older: Int32Array[]; newest: Int32Array[] } {
  const cut = Math.max(1, Math.floor(lines.length * (1 - heldOut)))
  return { older: lines.slice(0, cut), newest: lines.slice(cut) }
}

/** A case per known item, labelled by its place in the line from 1; nothing for fewer than two known items. */
function hiddenInTurn(basket: Int32Array, line: string, items = Number.MAX_SAFE_INTEGER): Case[] {
  const known = unique(basket.filter((item) => item < items))
  if (known.length < 2) return []
  return Array.from(known, (item) => ({
    label: `${line}${basket.indexOf(item) + 1}`,
    history: known.filter((other) => other !== item),
    relevant: Int32Array.of(item),
  }))
}

type Reader<Lines> = (file: string, idIndex: IdIndex) => Promise<Lines>

/** Reads both files with one id index. The catalog holds the items of train; `known` numbers items that only the test has past it. */
async function bothFiles<Train, Test extends Iterable<unknown>>(
  files: TaskFiles,
  trainBy: Reader<Train>,
  testBy: Reader<Test>,
) {
  const idIndex = new IdIndex()
  const train = await trainBy(files.train, idIndex)
  const catalog = trainedCatalog(idIndex, files)
  const test = await testBy(testFile(files), idIndex)
  const [first] = test
  if (first === undefined) throw new InputError(`${files.test}: the file holds nothing to ask`)
  return { train, test, catalog, known: catalogOf(idIndex, catalog.items) }
}

async function userLists(file: string, idIndex: IdIndex): Promise<Map<string, Int32Array>> {
  const lists = new Map<string, Int32Array>()
  for (const { head, ids } of await idLines(file, idIndex, 'a user')) {
    const known = lists.get(head)
    lists.set(head, known ? Int32Array.from([...known, ...ids]) : ids)
  }
  return lists
}

async function prefixLines(file: string, idIndex: IdIndex) {
  const lines: { number: number; prefix: Int32Array; next: Int32Array }[] = []
  for await (const batch of lineBatches(file)) {
    for (const { text, number } of batch) {
      const [prefix = '', next = '', ...more] = text.split('\t').map((part) => part.trim())
      if (next === '' || more.length > 0 || /\s/.test(next)) {
        throw new InputError(`${file} line ${number}: a test line is "prefix items <TAB> next item"`)
      }
      const words = prefix === '' ? [] : prefix.split(/\s+/)
      lines.push({
        number,
        prefix: itemsOf(words, idIndex, file, number),
        next: itemsOf([next], idIndex, file, number),
      })
    }
  }
  return lines
}

/** Items by attribute, from JSON `{"item": [attribute, …]}`. */
async function attributeGroups(file: string, idIndex: IdIndex, catalog: Catalog): Promise<Int32Array[]> {
  let parsed: unknown
  try {
    parsed = JSON.parse(await wholeText(file))
  } catch (error) {
    if (error instanceof InputError) throw error
    throw new InputError(`${file}: this is not JSON (${(error as Error).message})`)
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new InputError(`${file}: attributes are JSON like {"item": [attribute, …]}`)
  }
  const groups = new Map<unknown, number[]>()
  for (const [item, attributes] of Object.entries(parsed)) {
    const place = idIndex.find(item)
    if (!Array.isArray(attributes))
      throw new InputError(`${file}: the attributes of item ${item} are not a list`)
    if (place === undefined) continue
    for (const attribute of new Set<unknown>(attributes)) {
      const group = groups.get(attribute) ?? []
      group.push(catalog.itemAt[place]!)
      groups.set(attribute, group)
    }
  }
  return [...groups.values()].map((group) => Int32Array.from(group))
}

function testFile({ test }: TaskFiles): string {
  if (test === undefined) throw new InputError('this task needs --test FILE')
  return test
}

function trainedCatalog(idIndex: IdIndex, { train }: TaskFiles): Catalog {
  if (idIndex.names.length === 0) throw new InputError(`${train}: the file holds no items`)
  return catalogOf(idIndex, idIndex.names.length)
}

const unique = (items: Int32Array): Int32Array => Int32Array.from(new Set(items))

/** The slice with its cases in the order that the seed decides. */
function sliceOf(fit: Int32Array[], cases: Case[], seed: number): Slice {
  const all = Array.from(shuffled(cases.length, seed), (at) => cases[at]!)
  return { fit, cases: all.slice(0, maxSliceCases), all }
}
