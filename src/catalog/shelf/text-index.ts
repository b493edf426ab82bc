import type { Columns } from './columns.ts'
import type { Region, ShelfItem } from './item.ts'

export interface Matches {
  slots: Int32Array
  score(slot: number): number
  didYouMean: string | null
}

export class TextIndex {
  readonly #columns: Columns
  constructor(columns: Columns) {
    this.#columns = columns
  }
  isSame(_slot: number, _item: ShelfItem): boolean {
    return false
  }
  add(_slot: number, _item: ShelfItem): void {}
  bury(slot: number): void {
    this.#columns.release(slot)
  }
  search(_text: string, _region: Region): Matches {
    return { slots: new Int32Array(0), score: () => 0, didYouMean: null }
  }
}
