// Needs that are composed of groups of words: any word of "wash" with any word of "car" means a pressure washer. One rule
// stands for all combinations in all languages.

/** A word of each group, near each other and in any order, means one of the things. */
export interface NeedRule {
  groups: string[][]
  things: string[]
}

/** Lines "$name = a, b" define groups, "$name += a, b" add to them, and lines "$a $b > thing, thing" use them. Lines that begin with # are comments. */
export function parseNeedRules(text: string): NeedRule[] {
  const groups = new Map<string, string[]>()
  const rules: NeedRule[] = []
  for (const [at, raw] of text.split('\n').entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    const [, name, adds, words] = groupForm.exec(line) ?? []
    const [left, right] = line.split('>', 2) as [string, string?]
    // Rules above share the list, so that they have the added words too.
    if (name !== undefined && adds === '+' && groups.has(name)) groups.get(name)!.push(...listOf(words!))
    else if (name !== undefined && adds === '' && !groups.has(name)) groups.set(name, listOf(words!))
    else if (right !== undefined) rules.push({ groups: namedGroups(left, at + 1), things: listOf(right) })
    else throw new Error(`line ${at + 1} neither defines a new group nor uses groups: ${line}`)
  }
  return rules

  function namedGroups(left: string, line: number): string[][] {
    return left
      .trim()
      .split(/\s+/)
      .map((name) => {
        const words = groups.get(name)
        if (!words) throw new Error(`line ${line} uses ${name}, which is defined in no line above`)
        return words
      })
  }
}

const groupForm = /^(\$\w+) (\+?)= (.+)$/

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((it) => it.trim().toLowerCase())
    .filter((it) => it !== '')
