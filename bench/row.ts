/** One measurement. The floor is the simplest way to do the same, measured in the same run. */
export interface Row {
  name: string
  ours: number
  unit: string
  floor?: number
  /** What was promised, in words. */
  bar?: string
  note?: string
}
