// How demand for categories changes over the year in Uzbekistan, relative to the mean of the year.

/** By category slug, from January to December; a category that is not listed is wanted alike all year. */
// oxfmt-ignore
const demandByMonth: Readonly<Record<string, readonly number[]>> = {
  // Heat from June to August.
  'air-conditioners': [0.4, 0.4, 0.5, 0.8, 1.6, 2.6, 2.6, 1.6, 0.6, 0.3, 0.3, 0.4],
  drinks:             [0.7, 0.7, 0.8, 0.9, 1.2, 1.6, 1.7, 1.5, 1.1, 0.7, 0.6, 0.6],
  // Gardens are planted and bicycles are bought from March to June.
  garden:             [0.4, 0.8, 2.2, 2.4, 1.8, 1.2, 0.9, 0.7, 0.6, 0.5, 0.3, 0.3],
  bicycles:           [0.3, 0.5, 1.6, 2.2, 2.0, 1.6, 1.1, 0.9, 0.7, 0.5, 0.3, 0.3],
  strollers:          [0.6, 0.7, 1.4, 1.6, 1.5, 1.2, 1.0, 0.9, 0.9, 0.8, 0.7, 0.6],
  // The school year begins in September.
  stationery:         [0.7, 0.6, 0.6, 0.6, 0.6, 0.5, 0.8, 2.9, 2.6, 0.8, 0.6, 0.6],
  'childrens-books':  [0.8, 0.8, 0.8, 0.8, 0.9, 0.9, 0.9, 1.6, 1.6, 0.9, 0.8, 1.2],
  // Winter tyres and warm blankets from October to December; summer tyres in March.
  tyres:              [0.8, 0.6, 1.3, 1.1, 0.6, 0.5, 0.5, 0.6, 0.8, 1.7, 2.1, 1.4],
  'motor-oils':       [1.0, 0.9, 1.1, 1.0, 0.9, 0.9, 0.8, 0.8, 0.9, 1.3, 1.4, 1.0],
  bedding:            [1.3, 1.0, 0.8, 0.7, 0.5, 0.5, 0.5, 0.7, 1.0, 1.6, 1.8, 1.6],
  kettles:            [1.3, 1.2, 1.0, 0.8, 0.7, 0.6, 0.6, 0.7, 0.9, 1.2, 1.5, 1.5],
  'tea-and-coffee':   [1.3, 1.2, 1.0, 0.9, 0.8, 0.7, 0.7, 0.8, 0.9, 1.1, 1.3, 1.3],
  // Homes are furnished for Navruz in March and for the weddings of autumn.
  carpets:            [0.8, 1.2, 1.6, 1.0, 0.7, 0.6, 0.6, 0.9, 1.3, 1.3, 1.1, 0.9],
  // Presents of the New Year.
  toys:               [0.8, 0.8, 0.9, 0.9, 1.0, 1.1, 0.9, 0.9, 0.9, 0.9, 1.1, 1.8],
  sweets:             [0.9, 0.9, 1.5, 0.9, 0.8, 0.7, 0.7, 0.8, 0.9, 1.0, 1.1, 1.8],
}

/** The demand for a category at an instant, relative to its mean of the year: between the middles of months a straight line. */
export function demandAt(category: string, at: Date): number {
  const months = demandByMonth[category]
  if (!months) return 1
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()]
  const passed = at.getTime() - middleOf(year, month)
  const other = passed < 0 ? month - 1 : month + 1
  const share = passed / (middleOf(year, other) - middleOf(year, month))
  return (1 - share) * months[month]! + share * months[(other + 12) % 12]!
}

/** The instant in the middle of a month; -1 is December of the year before, 12 January of the next one. */
const middleOf = (year: number, month: number): number =>
  (Date.UTC(year, month, 1) + Date.UTC(year, month + 1, 1)) / 2

/** Categories whose demand changes over the year. */
export const seasonalCategories: readonly string[] = Object.keys(demandByMonth)
