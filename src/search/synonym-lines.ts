// The text format of synonyms: one meaning per line. "a, b, c" lists forms of one meaning; "a > b, c" says that a shopper
// who types a wants b or c, and "a, aa > b, c" says it of both. Lines that begin with # are comments.

export type SynonymLine =
  | { kind: 'same'; forms: string[] }
  | { kind: 'narrower'; form: string; narrower: string[] }

export type SynonymProblem =
  | { line: number; reason: 'too_few_forms' }
  | { line: number; reason: 'too_long' }
  | { line: number; reason: 'repeated_form'; form: string }
  | { line: number; reason: 'cycle'; form: string }
  | { line: number; reason: 'contradiction'; form: string; otherLine: number }

const maxForms = 60
const maxFormLength = 60

/** The lines of a text, or what is wrong with the first wrong one. */
export function parseSynonyms(text: string): { lines: SynonymLine[] } | { problem: SynonymProblem } {
  const lines: SynonymLine[] = []
  const numbers: number[] = []
  for (const [at, raw] of text.split('\n').entries()) {
    const trimmed = raw.trim()
    if (trimmed === '' || trimmed.startsWith('#')) continue
    for (const line of parsedLines(trimmed)) {
      const problem = problemOf(line, at + 1)
      if (problem) return { problem }
      lines.push(line)
      numbers.push(at + 1)
    }
  }
  const problem = contradictionIn(lines, numbers) ?? cycleIn(lines, numbers)
  return problem ? { problem } : { lines }
}

const formsOf = (text: string): string[] =>
  text
    .split(',')
    .map((it) => it.trim().toLowerCase())
    .filter((it) => it !== '')

/** A line with > is one for each of the forms before it. */
function parsedLines(text: string): SynonymLine[] {
  const [wider, meant] = text.split('>', 2) as [string, string?]
  const forms = formsOf(wider)
  if (meant === undefined) return [{ kind: 'same', forms }]
  const narrower = formsOf(meant)
  return (forms.length === 0 ? [''] : forms).map((form) => ({ kind: 'narrower', form, narrower }))
}

function problemOf(line: SynonymLine, number: number): SynonymProblem | undefined {
  const forms = line.kind === 'same' ? line.forms : [line.form, ...line.narrower]
  if (forms.length < 2 || forms[0] === '') return { line: number, reason: 'too_few_forms' }
  if (forms.length > maxForms || forms.some((it) => it.length > maxFormLength))
    return { line: number, reason: 'too_long' }
  const repeated = forms.find((it, at) => forms.indexOf(it) < at)
  if (repeated === undefined) return undefined
  return { line: number, reason: line.kind === 'same' ? 'repeated_form' : 'cycle', form: repeated }
}

/** A form cannot be both the same as another and wider than it. */
function contradictionIn(lines: readonly SynonymLine[], numbers: readonly number[]) {
  const sameAt = new Map<string, Set<number>>()
  for (const [at, line] of lines.entries())
    if (line.kind === 'same')
      for (const form of line.forms) sameAt.set(form, (sameAt.get(form) ?? new Set()).add(at))
  for (const [at, line] of lines.entries()) {
    if (line.kind === 'same') continue
    const own = sameAt.get(line.form)
    for (const form of line.narrower)
      for (const other of sameAt.get(form) ?? [])
        if (own?.has(other))
          return { line: numbers[at]!, reason: 'contradiction' as const, form, otherLine: numbers[other]! }
  }
  return undefined
}

function cycleIn(lines: readonly SynonymLine[], numbers: readonly number[]): SynonymProblem | undefined {
  const narrower = new Map<string, { forms: string[]; line: number }>()
  for (const [at, line] of lines.entries())
    if (line.kind === 'narrower') narrower.set(line.form, { forms: line.narrower, line: numbers[at]! })
  const finished = new Set<string>()
  const open = new Set<string>()
  const visit = (form: string): string | undefined => {
    if (open.has(form)) return form
    if (finished.has(form)) return undefined
    open.add(form)
    const found = narrower
      .get(form)
      ?.forms.map(visit)
      .find((it) => it !== undefined)
    open.delete(form)
    finished.add(form)
    return found
  }
  for (const [form, { line }] of narrower) {
    const repeated = visit(form)
    if (repeated !== undefined) return { line, reason: 'cycle', form: repeated }
  }
  return undefined
}
