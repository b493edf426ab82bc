// Words that a diminutive ending made: лэптопчик, футболочка, telefoncha. The base is only a guess; the caller checks
// whether it is a word.

import { isCyrillic } from './word-key.ts'

const minBaseLength = 3

/** Endings of nouns, with what may stand in the base; plural and case endings are read by the stemmer afterwards. */
const russianEndings: [ending: RegExp, bases: string[]][] = [
  [/(?:оч|еч)(?:ка|ки|ку|кой|ек)$/, ['ка', 'а', 'ь', '']],
  [/чонк(?:а|и|у)$/, ['ка', '']],
  [/[оеё]нк(?:а|и|у)$/, ['а', 'ка', '']],
  [/[оеё]ньк(?:а|и|у)$/, ['а', 'ка', '']],
  [/[уюо]шк(?:а|и|у|о)$/, ['а', '', 'о', 'я']],
  [/ишк(?:о|а|и)$/, ['о', 'а', '', 'е']],
  [/жк(?:а|и|у)$/, ['га', 'г', 'ги', 'за']],
  [/чк(?:а|и|у)$/, ['ка', 'ца', '']],
  [/илк(?:а|и|у)$/, ['ильник', 'ка']],
  [/ьц(?:е|а|о)$/, ['ло', 'ль', 'лья']],
  [/иц(?:е|а|у)$/, ['е', 'а', '']],
  [/[иеё]ч(?:ек|ка|ки|ков|ку|ком)$/, ['ик', '', 'ек', 'ка', 'ки']],
  [/ищ(?:е|а|и|у)$/, ['', 'а', 'ь', 'ка', 'о']],
  [/ец$/, ['ка', '']],
  [/чик(?:и|ов|а|у|ом)?$/, ['', 'ка', 'ец']],
  [/чок$/, ['к', 'чка']],
  [/жок$/, ['г']],
  [/шок$/, ['х']],
  [/[её]к$/, ['й', '']],
  [/ок$/, ['']],
  [/ик(?:и|ов|а|у|ом)?$/, ['', 'а', 'ь']],
]

const uzbekEnding = /(?:cha|gina|ча|гина)(?:lar|лар)?(?:ni|ни|si|си)?$/

/** Words of which this one may be a diminutive, the likeliest first. */
export function basesOf(word: string): string[] {
  const bases: string[] = []
  if (isCyrillic(word))
    for (const [ending, endings] of russianEndings)
      if (ending.test(word)) for (const it of endings) bases.push(word.replace(ending, it))
  if (uzbekEnding.test(word)) bases.push(word.replace(uzbekEnding, ''))
  return bases.filter((it) => it.length >= minBaseLength)
}
