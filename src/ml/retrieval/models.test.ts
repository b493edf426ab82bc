import { testRetrieverContract, type Subject } from './contract.ts'
import { blendRetriever } from './blend.ts'
import { addScore } from './score-board.ts'
import { easeGraph } from './ease.ts'
import { ialsModel, ialsRetriever } from './ials.ts'
import { cooccurrenceOf } from './cooccurrence.ts'
import { neighbourRetriever } from './neighbours.ts'
import { popularity, popularityRetriever, touchesOf } from './popularity.ts'
import { ridgeGraph } from './ridge.ts'
import { ruleGraph } from './rules.ts'
import { sessionIndex, sessionRetriever } from './session-knn.ts'
import { binaryRows } from './sparse.ts'
import { walkGraph } from './walks.ts'
import { addDue, againRetriever, rhythmOf } from './repeat.ts'

const ease: Subject = {
  name: 'EASE',
  finds: 'diagonal',
  fit: async (sequences, items, { threads }) => {
    const rows = binaryRows(sequences, items)
    return neighbourRetriever(await easeGraph(rows, { lambda: 2, keep: 100, damping: 0.2, threads }))
  },
}

const walks: Subject = {
  name: 'RP3β',
  finds: 'diagonal',
  fit: async (sequences, items) => {
    const meetings = cooccurrenceOf(binaryRows(sequences, items), 1)
    return neighbourRetriever(walkGraph(meetings, { fromPower: 1, toPower: 0.3, keep: 100 }))
  },
}

const models: Subject[] = [
  ease,
  walks,
  {
    name: 'ridge',
    finds: 'diagonal',
    fit: async (sequences, items, { threads }) => {
      const meetings = cooccurrenceOf(binaryRows(sequences, items), 0)
      return neighbourRetriever(await ridgeGraph(meetings, { lambda: 2, support: 30, threads }))
    },
  },
  {
    name: 'forward rules',
    finds: 'diagonal',
    fit: async (sequences, items) => {
      const options = {
        stepPower: 1,
        maxStep: 5,
        toPower: 0,
        ageFade: 0.5,
        backward: 0.5,
        itself: 0,
        keep: 100,
      }
      return neighbourRetriever(ruleGraph(sequences, items, options), { fade: 0.1, last: 40 })
    },
  },
  {
    name: 'session neighbours',
    finds: 'diagonal',
    fit: async (sequences, items) =>
      sessionRetriever(sessionIndex(sequences, items, 100), {
        recent: 100,
        neighbours: 20,
        last: 20,
        fade: 0.1,
        ageFade: 0.5,
        distanceFade: 0.05,
        backward: 0.9,
        lengthPower: 0.5,
        idf: 0.2,
      }),
  },
  {
    name: 'iALS',
    finds: 'diagonal',
    fit: async (sequences, items, { seed, threads }) => {
      const options = {
        factors: 8,
        epochs: 6,
        unobserved: 0.05,
        regularisation: 0.01,
        scaling: 1,
        seed,
        threads,
      }
      return ialsRetriever(await ialsModel(binaryRows(sequences, items), options))
    },
  },
  {
    name: 'popularity',
    finds: 'anything',
    fit: async (sequences, items) => popularityRetriever(popularity(touchesOf(sequences), items, 10)),
  },
  {
    name: 'looking back',
    finds: 'history',
    fit: async (_sequences, items) => againRetriever(items, 0.5),
  },
  {
    name: 'repeat rhythm',
    finds: 'history',
    fit: async (sequences, items) => {
      const twice = (history: ArrayLike<number>) =>
        [0, items].flatMap((later) => Array.from(history, (item, at) => ({ item, time: at + later })))
      const rhythm = rhythmOf(sequences.map(twice), items)
      return (history, board) =>
        addDue(rhythm, twice(history), 3 * items, (item, amount) => addScore(board, item, amount))
    },
  },
  {
    name: 'a blend',
    finds: 'diagonal',
    fit: async (sequences, items, how) => {
      const [first, second] = await Promise.all([
        ease.fit(sequences, items, how),
        walks.fit(sequences, items, how),
      ])
      const parts = [
        { retriever: first, weight: 1 },
        { retriever: second, weight: 0.5 },
        { retriever: againRetriever(items, 0.5), weight: 0.1 },
      ]
      return blendRetriever(parts, items)
    },
  },
]

for (const model of models) testRetrieverContract(model)
