import type { Database } from '../base/database.ts'
import { isInstant } from '../http/instant.ts'
import {
  activateModel,
  importExternalModel,
  joinToLive,
  listModels,
  type ModelRecord,
  verifyModel,
  uploadRanker,
  withoutExternalModel,
} from '../recommendations/index.ts'
import {
  type Command,
  environmentOf,
  explainMissing,
  type CommandArguments,
  table,
  UsageError,
  type CommandContext,
} from './command.ts'
import { withStorage, audited, sourceOf, sourcesOfFolder } from './storage.ts'

export const modelCommand: Command = {
  usage: 'list | activate ID | upload FILE | import FILE | remove [--env live|test]',
  help: `Manages the models that produce recommendations. A running server applies changes within a second.

  list                 lists stored models, newest first
  activate ID          activates a model, also an older one
  upload FILE          uploads a ranker in CatBoost's JSON format; training keeps it
  import FILE          imports factors or neighbours of products, one NDJSON line each, as the source "external":
                       {"id":10,"features":[0.1,…]} or {"id":10,"neighbours":[{"id":11,"score":0.8},…]};
                       or factors in Parquet: a file, or a folder of them as Spark writes it
  remove               removes the imported data
  --trained-until AT   of an import: the instant up to which the other engine was trained (default now)
  --alpha N            of factors: the confidence weight of interactions (default 1, as in Spark)
  --regularisation N   of factors (default 0.1, as in Spark)
  --env ENV            live or test (default test)
  --json               print JSON

FILE may be - for stdin.

  npm run bozor -- model import factors.ndjson --env live --trained-until 2026-11-01T00:00:00Z
  npm run bozor -- model import itemFactors --env live`,
  actions: ['list', 'activate', 'upload', 'import', 'remove'],
  options: {
    'trained-until': { type: 'string' },
    alpha: { type: 'string' },
    regularisation: { type: 'string' },
    env: { type: 'string' },
    json: { type: 'boolean' },
  },
  async run(context, args) {
    const [what = '', ...names] = args.positionals
    const environment = environmentOf(args)
    const work = await workOf(what, names, { context, args })
    const models = await withStorage(context, 'model', ({ db }) => work(db[environment]))
    context.print(args.flags['json'] ? JSON.stringify(models) : shown(models))
    return 0
  },
}

type Work = (db: Database) => Promise<ModelRecord[]>

/** The requested action; arguments are validated before the storage is opened. */
async function workOf(
  what: string,
  names: readonly string[],
  { context, args }: { context: CommandContext; args: CommandArguments },
): Promise<Work> {
  const changing =
    (change: (db: Database) => Promise<ModelRecord>): Work =>
    async (db) => {
      const model = await change(db)
      await audited(db, `model ${what}`, async () => {})
      return [model]
    }
  switch (what) {
    case 'list':
      return (db) => listModels(db.read())
    case 'activate':
      return activating(Number(names[0]))
    case 'upload': {
      const source = await sourceOf(context, names)
      return changing((db) => uploadRanker(db, source))
    }
    case 'import': {
      const [terms, source] = [termsOf(args), await importSourceOf(context, names)]
      return changing(async (db) => {
        const { model, report } = await importExternalModel(db, source, terms)
        context.printStatus(
          `${report.read} lines or rows read: ${report.known} of products that the model knows, ${report.unknown} of others; ${report.unknownNeighbours} neighbours are unknown`,
        )
        return model
      })
    }
    case 'remove':
      return changing((db) => joinToLive(db, 'imported', withoutExternalModel))
    default:
      throw new UsageError('use "model list", "activate", "upload", "import" or "remove"; see "help model"')
  }
}

/** A file, stdin, or the Parquet files of a folder. */
const importSourceOf = async (context: CommandContext, names: readonly string[]) =>
  (await sourcesOfFolder(names, '.parquet')) ?? sourceOf(context, names)

function activating(id: number): Work {
  if (!Number.isSafeInteger(id) || id < 1)
    throw new UsageError('name the model by its number (see "model list")')
  return async (db) => {
    const proven = await explainMissing(verifyModel(db, id), `there is no model ${id} (see "model list")`)
    await audited(db, 'model activate', (tx) => activateModel(tx, proven))
    return (await listModels(db.read())).filter((it) => it.id === id)
  }
}

function termsOf({ flags }: CommandArguments) {
  const until = flags['trained-until'] as string | undefined
  if (until !== undefined && !isInstant(until))
    throw new UsageError('--trained-until must be an instant such as 2026-11-01T00:00:00Z')
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

function shown(models: readonly ModelRecord[]): string {
  const rows = models.map((it) => [
    String(it.id),
    it.isActive ? 'serves' : '',
    it.origin,
    it.createdAt.toISOString(),
    String(it.products),
    it.rankerOrigin ?? 'none',
    it.external ? `${it.external.kind} of ${it.external.products}` : '',
    (it.metrics.ranker ?? it.metrics.candidates).ndcg10.toFixed(4),
  ])
  return table([['id', '', 'origin', 'made', 'products', 'ranker', 'outside', 'NDCG@10'], ...rows])
}
