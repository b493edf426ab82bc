import type { Database } from '../base/db.ts'
import { Refusal } from '../base/refusal.ts'
import { isInstant } from '../http/instant.ts'
import { spokenFaults } from '../http/validation.ts'
import {
  activateModel,
  importKnowledge,
  joinToLive,
  listModels,
  type ModelRecord,
  provenModel,
  uploadRanker,
  withoutKnowledge,
} from '../recommendations/index.ts'
import {
  atDesk,
  type Command,
  environmentOf,
  type Given,
  noted,
  sourceOf,
  table,
  UsageError,
  type World,
} from './command.ts'

export const modelCommand: Command = {
  name: 'model',
  summary: 'list models, choose one, bring in what other engines have learnt',
  usage: 'list | activate ID | upload FILE | import FILE | forget [--env live|test]',
  help: `Works on the models that make lists. A running server follows within a second.

  list                 the models that are kept, newest first
  activate ID          lets one serve; also the way back to an older one
  upload FILE          a ranker, as CatBoost exports it as JSON; trainings leave it in its place
  import FILE          factors or neighbours of products, a line of NDJSON each; they become the source "outside":
                       {"id":10,"features":[0.1,…]} or {"id":10,"neighbours":[{"id":11,"score":0.8},…]}
  forget               takes away what was imported
  --learnt-until AT    of an import: the instant until which the other engine has learnt (default now)
  --alpha N            of factors: how much more something touched counted (default 1, as in Spark)
  --regularisation N   of factors (default 0.1, as in Spark)
  --env ENV            live or test (default test)
  --json               print JSON

FILE may be - for what is piped in.

  npm run bozor -- model import factors.ndjson --env live --learnt-until 2026-11-01T00:00:00Z`,
  options: {
    'learnt-until': { type: 'string' },
    alpha: { type: 'string' },
    regularisation: { type: 'string' },
    env: { type: 'string' },
    json: { type: 'boolean' },
  },
  async run(world, given) {
    const [what = '', ...names] = given.words
    const environment = environmentOf(given)
    const work = await workOf(what, names, { world, given })
    const models = await atDesk(world, 'model', ({ db }) => work(db[environment])).catch(inWords)
    world.print(given.flags['json'] ? JSON.stringify(models) : shown(models))
    return 0
  },
}

type Work = (db: Database) => Promise<ModelRecord[]>

/** What is to be done; a mistake is told before the storage is opened. */
async function workOf(
  what: string,
  names: readonly string[],
  { world, given }: { world: World; given: Given },
): Promise<Work> {
  const changing =
    (change: (db: Database) => Promise<ModelRecord>): Work =>
    async (db) => {
      const model = await change(db)
      await noted(db, `model ${what}`, async () => {})
      return [model]
    }
  switch (what) {
    case 'list':
      return (db) => listModels(db.read())
    case 'activate':
      return activating(Number(names[0]))
    case 'upload': {
      const source = await sourceOf(world, names)
      return changing((db) => uploadRanker(db, source))
    }
    case 'import': {
      const [terms, source] = [termsOf(given), await sourceOf(world, names)]
      return changing(async (db) => {
        const { model, report } = await importKnowledge(db, source, terms)
        world.tell(
          `${report.read} lines read: ${report.known} of products that the model knows, ${report.unknown} of others; ${report.unknownNeighbours} neighbours are unknown`,
        )
        return model
      })
    }
    case 'forget':
      return changing((db) => joinToLive(db, 'imported', withoutKnowledge))
    default:
      throw new UsageError('say "model list", "activate", "upload", "import" or "forget"; see "help model"')
  }
}

function activating(id: number): Work {
  if (!Number.isSafeInteger(id) || id < 1)
    throw new UsageError('name the model by its number (see "model list")')
  return async (db) => {
    const proven = await provenModel(db, id)
    await noted(db, 'model activate', (tx) => activateModel(tx, proven))
    return (await listModels(db.read())).filter((it) => it.id === id)
  }
}

function termsOf({ flags }: Given) {
  const until = flags['learnt-until'] as string | undefined
  if (until !== undefined && !isInstant(until))
    throw new UsageError('--learnt-until must be an instant such as 2026-11-01T00:00:00Z')
  const positive = (flag: 'alpha' | 'regularisation') => {
    if (flags[flag] === undefined) return {}
    const value = Number(flags[flag])
    if (!(value > 0 && value <= 1e6))
      throw new UsageError(`--${flag} must be a number above 0, at most 1000000`)
    return { [flag]: value }
  }
  return {
    ...(until !== undefined && { until: new Date(until) }),
    ...positive('alpha'),
    ...positive('regularisation'),
  }
}

/** A refusal as a sentence. */
function inWords(error: unknown): never {
  if (!(error instanceof Refusal)) throw error
  const { reason, fields } = error.details as { reason?: string; fields?: Parameters<typeof spokenFaults>[0] }
  const faults = spokenFaults(fields ?? [], 'en').map((it) => `${it.path} ${it.message}`.trim())
  throw new UsageError([reason, ...faults.slice(0, 10)].filter(Boolean).join('; ') || error.code)
}

function shown(models: readonly ModelRecord[]): string {
  const rows = models.map((it) => [
    String(it.id),
    it.isActive ? 'serves' : '',
    it.origin,
    it.madeAt.toISOString(),
    String(it.products),
    it.rankerOrigin ?? 'none',
    it.outside ? `${it.outside.kind} of ${it.outside.products}` : '',
    (it.metrics.ranker ?? it.metrics.candidates).ndcg10.toFixed(4),
  ])
  return table([['id', '', 'origin', 'made', 'products', 'ranker', 'outside', 'NDCG@10'], ...rows])
}
