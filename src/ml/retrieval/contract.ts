// What every candidate model promises, as one suite that each model's test runs.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newScoreBoard, listFor, type Retriever } from './score-board.ts'
import type { Explainer } from './explainers.ts'
import type { Ranked } from '../top-k.ts'

export interface Subject {
  name: string
  /** Fits on item sequences, oldest first. */
  fit: (sequences: Int32Array[], items: number, how: { seed: number; threads: number }) => Promise<Retriever>
  /**
   * What a model finds: the withheld diagonal; or, for a model that is not personal, any full list; or, for a model of
   * repeat purchases, the history itself.
   */
  finds: 'diagonal' | 'anything' | 'history'
  /** Explains the scores of the retriever that `fit` gives for the same; absent for parts of models. */
  explain?: (...given: Parameters<Subject['fit']>) => Promise<Explainer>
}

const foundBy = { diagonal: 'the withheld diagonal', anything: 'something', history: 'what was touched' }
const boardSide = 40
const wholeList = boardSide * 2

/** Buyer u touched every item of u's own parity, except the item u itself: the diagonal is withheld. */
export function checkerboard(side: number): Int32Array[] {
  return Array.from({ length: side }, (_, user) =>
    Int32Array.from({ length: side }, (__, item) => item).filter(
      (item) => (user + item) % 2 === 0 && item !== user,
    ),
  )
}

/** Runs the contract on a model. */
export function testRetrieverContract(subject: Subject): void {
  const sequences = checkerboard(boardSide)
  const fitted = (threads = 1, seed = 1) => subject.fit(sequences, boardSide, { seed, threads })

  test(`${subject.name}: of a checkerboard it finds ${foundBy[subject.finds]}`, async () => {
    const retriever = await fitted()
    for (let user = 0; user < boardSide; user++) {
      const history = sequences[user]!
      const list =
        subject.finds === 'history' ? whole(retriever, history, boardSide) : unseen(retriever, history)
      assert.ok(list.ids.length > 0)
      if (subject.finds === 'diagonal') assert.equal(list.ids[0], user)
      if (subject.finds === 'history') assert.ok(list.ids.every((item) => history.includes(item)))
    }
  })

  test(`${subject.name}: the same seed gives the same bytes, with one thread and with two`, async () => {
    const first = fingerprint(await fitted(1), sequences)
    assert.deepEqual(fingerprint(await fitted(1), sequences), first)
    assert.deepEqual(fingerprint(await fitted(2), sequences), first)
  })

  test(`${subject.name}: a list asked alone equals the same list asked among others`, async () => {
    const shared = await fitted()
    const board = newScoreBoard(boardSide)
    const batch = sequences.map((history) => listFor(shared, history, { board, k: wholeList }))
    for (const user of [boardSide - 1, 0, 7]) {
      assert.deepEqual(
        listFor(await fitted(), sequences[user]!, { board: newScoreBoard(boardSide), k: wholeList }),
        batch[user],
      )
    }
  })

  test(`${subject.name}: lists are finite, fall by score, and ties stand by id`, async () => {
    const retriever = await fitted()
    for (const history of sequences) assertInOrder(whole(retriever, history, boardSide))
  })

  test(`${subject.name}: unknown items and an empty history never break a list`, async () => {
    const retriever = await fitted()
    assertInOrder(whole(retriever, [], boardSide))
    const strange = [-1, boardSide, 2 ** 31, Number.NaN]
    assertInOrder(whole(retriever, strange, boardSide))
    assert.deepEqual(
      whole(retriever, [...strange, 3], boardSide).ids.toSorted(),
      whole(retriever, [3], boardSide).ids.toSorted(),
    )
  })

  test(`${subject.name}: no data, one buyer, one item and repeated items give sensible lists`, async () => {
    const how = { seed: 1, threads: 1 }
    assertInOrder(whole(await subject.fit([], 3, how), [1], 3))
    assertInOrder(whole(await subject.fit([Int32Array.of(0)], 1, how), [0], 1))
    assertInOrder(whole(await subject.fit([Int32Array.of(0, 1, 2)], 3, how), [0], 3))
    assertInOrder(
      whole(await subject.fit([Int32Array.of(1, 1, 1), Int32Array.of(1, 1, 0)], 3, how), [1, 1], 3),
    )
  })
}

/** Runs the part of the contract that is about reasons. */
export function testExplainerContract(subject: Subject & Required<Pick<Subject, 'explain'>>): void {
  const sequences = checkerboard(boardSide)
  const how = { seed: 1, threads: 1 }
  const both = async () =>
    [await subject.fit(sequences, boardSide, how), await subject.explain(sequences, boardSide, how)] as const

  test(`${subject.name}: the reasons for an item add up to its score, and name items of the history alone`, async () => {
    const [retriever, explain] = await both()
    const repeated = (history: Int32Array) => [...history, history[3]!, history[0]!]
    const histories = [
      ...sequences.map((it) => Array.from(it)),
      ...sequences.map(repeated),
      [7],
      [-1, 5, boardSide],
    ]
    for (const history of histories) {
      const { ids, scores } = whole(retriever, history, boardSide)
      const tolerance = 1e-5 * Math.abs(scores[0] ?? 0)
      for (let at = 0; at < ids.length; at++) {
        const reasons = explain(history, ids[at]!)
        const sum = reasons.reduce((total, it) => total + it.added, 0)
        assert.ok(
          Math.abs(sum - scores[at]!) <= tolerance,
          `reasons for item ${ids[at]} add up to ${sum}, its score is ${scores[at]}`,
        )
        const named = reasons.map((it) => it.from)
        assert.ok(named.every((from) => from === null || history.includes(from)))
        assert.equal(new Set(named).size, named.length)
        const strengths = reasons.map((it) => Math.abs(it.added))
        assert.deepEqual(
          strengths,
          strengths.toSorted((a, b) => b - a),
        )
      }
    }
  })

  test(`${subject.name}: an empty or unknown history is no reason, and an unknown item has none`, async () => {
    const [, explain] = await both()
    for (const history of [[], [-1, boardSide, 2 ** 31, Number.NaN]])
      for (let item = 0; item < boardSide; item++)
        assert.ok(explain(history, item).every((it) => it.from === null))
    for (const item of [-1, boardSide, Number.NaN]) assert.deepEqual(explain(sequences[0]!, item), [])
  })
}

function unseen(retriever: Retriever, history: Int32Array): Ranked {
  const seen = new Set(history)
  return listFor(retriever, history, {
    board: newScoreBoard(boardSide),
    k: wholeList,
    skip: (item) => seen.has(item),
  })
}

const whole = (retriever: Retriever, history: ArrayLike<number>, items: number): Ranked =>
  listFor(retriever, history, { board: newScoreBoard(items), k: items })

function fingerprint(retriever: Retriever, sequences: Int32Array[]): Uint8Array[] {
  return sequences.flatMap((history) => {
    const { ids, scores } = whole(retriever, history, boardSide)
    return [new Uint8Array(ids.buffer), new Uint8Array(scores.buffer)]
  })
}

function assertInOrder({ ids, scores }: Ranked): void {
  for (let at = 0; at < ids.length; at++) {
    assert.ok(Number.isFinite(scores[at]), `the score of item ${ids[at]} is ${scores[at]}`)
    if (at === 0) continue
    const falls = scores[at - 1]! > scores[at]!
    assert.ok(falls || (scores[at - 1] === scores[at] && ids[at - 1]! < ids[at]!), 'the list is out of order')
  }
}
