// Keeps the vocabulary plain: words of the project's former dialect may not come back. See docs/glossary.md for the
// words to use. The test reads identifiers, comments and prose strings of TypeScript, and all Markdown.

import { deepEqual, fail, ok } from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

interface Ban {
  /** One word, or several that share a reason. */
  words: string
  /** What to write instead. */
  instead: string
  /** Where the word stays allowed, and why. */
  except?: { files?: RegExp; phrase?: RegExp; reason: string }
  /** Only as a part of an identifier; prose may use the word. */
  identifiersOnly?: true
}

// oxfmt-ignore
const bans: Ban[] = [
  { words: 'fact facts', instead: 'event', except: { phrase: /\bin fact\b/gi, reason: 'an idiom' } },
  { words: 'told teller telling tellings', instead: 'published, reported, sent; publisher; message data' },
  { words: 'hear hears heard hearing hearer', instead: 'receive, handle; subscriber' },
  { words: 'deed deeds', instead: 'interaction (buyers), audit entry (administration)' },
  { words: 'house', instead: 'the platform, or the part that is meant', except: { phrase: /\b(in-house|house number|house_number|houses?hold|warehouse|houses)\b/gi, files: /^(src\/(demo|web)\/|src\/orders\/delivery\/|src\/sdk\/schema|test\/(flows\/delivery|faults\/(order-contact|erasure))|test\/examples\/|docs\/orders)/, reason: 'addresses and demo products' } },
  { words: 'shelf shelves keeper keepers stall stalls', instead: 'product index, sync, buyable offers', except: { files: /^src\/demo\//, reason: 'furniture is a demo product' } },
  { words: 'sheet sheets', instead: 'offer details, product details', except: { files: /^src\/(demo|marketing|web)\//, phrase: /\bstyle ?sheets?\b/gi, reason: 'bed sheets and style sheets' } },
  { words: 'wares ware', instead: 'products, offers' },
  { words: 'desk desks', instead: 'what it is: credential cache, payment processor, request context', except: { files: /^(src\/(demo|catalog\/.*test)|bench\/sample-products)/, reason: 'a desk is a demo product' } },
  { words: 'courier couriers', instead: 'queue worker', except: { files: /delivery|^(src\/(sdk|web)\/|test\/examples\/|docs\/glossary)/, reason: 'couriers deliver orders' } },
  { words: 'errand errands lane lanes', instead: 'job or delivery, queue', except: { files: /^src\/ml\//, phrase: /\b(lanes?|SIMD lanes?)\b/gi, reason: 'SIMD lanes' } },
  { words: 'heed heeds', instead: 'depends on' },
  { words: 'slate slates lesson lessons school schools', instead: 'candidate list, training example, example builder', except: { files: /^src\/(demo|search)\//, phrase: /\bschool backpack\b/gi, reason: 'school supplies are demo products and search words' } },
  { words: 'inquiry inquiries inquire inquirer answerer annex annexes', instead: 'query, query handler, handler, raw route' },
  { words: 'patience patient', instead: 'timeout, deadline' },
  { words: 'circumstance circumstances', instead: 'request context' },
  { words: 'cue cues', instead: 'trigger' },
  { words: 'season seasons', instead: 'pricing window', except: { files: /^src\/(demo|ml|recommendations)\//, phrase: /\b(seasonal\w*|all-season)\b/gi, reason: 'seasons of the year, and tyres' } },
  { words: 'grip grips gripped', instead: 'lock', except: { files: /^src\/demo\//, phrase: /\bFaber-Castell Grip\b/g, reason: 'demo products are called DynaGrip and Grip' } },
  { words: 'hungry meal meals', instead: 'pending, batch', except: { files: /^src\/demo\//, reason: 'a demo product' } },
  { words: 'whoever whomever whatever whosoever', instead: 'the role: caller, client, member; any', identifiersOnly: true },
  { words: 'whoever whomever nobody somebody everybody', instead: 'the role: caller, client, member; no caller', except: { files: /^src\/(base\/postgres\/|ml\/trees\/city-hash)/, reason: 'the system account nobody; a text with a known hash' } },
  { words: 'he him his himself she her herself', instead: 'they, or the role' },
  { words: 'anew thereby midst thereof whence hence therein thereafter', instead: 'again, by that, during' },
  { words: 'stranger strangers', instead: 'unknown caller' },
  { words: 'sought', instead: 'popular' },
  { words: 'slip slips', instead: 'typo', except: { files: /^src\/demo\//, phrase: /\bSatin Slip\b/g, reason: 'slip-on shoes and slip dresses' } },
  { words: 'wish wishes wished', instead: 'input, preference, request; wishlist stays', except: { phrase: /\b(wish(es)?( ?lists?|Lists?)|Wished (Moderated )?Offer)\b|\bwish\/<offer>/g, files: /^src\/marketing\/campaigns\/occasion\.ts$/, reason: 'wishlists, and names that the API and stored occasions already have' } },
  { words: 'sighting sightings', instead: 'the word of the field: impression, observation' },
  { words: 'forget forgets forgot forgotten', instead: 'purge, evict, invalidate', except: { phrase: /\b(forgot(ten)?[ -_]?(your )?password|forgotten `?await`?)\b/gi, reason: 'the usual name of the password form' } },
  { words: 'remembered recalls recalled', instead: 'cached, stored, loaded' },
  { words: 'goods', instead: 'products, offers', except: { files: /^(src\/demo\/|docs\/adr\/)/, phrase: /\bgoods and services\b/gi, reason: 'demo texts' } },
  { words: 'spelt spelled', instead: 'serialized, written', except: { files: /spelling/, reason: 'spelling is meant' } },
  { words: 'errand stowed bequeath befall befallen betake twain', instead: 'plain English' },
]

const phrases: { phrase: RegExp; instead: string }[] = [
  { phrase: /\btwice equals once\b/i, instead: 'idempotent' },
  { phrase: /\bby the window\b/i, instead: 'not through index.ts' },
  { phrase: /\bnone of (its|their) business\b/i, instead: 'ignored' },
  { phrase: /\bthe one who\b/i, instead: 'the role' },
]

interface Piece {
  line: number
  text: string
  kind: 'identifier' | 'prose'
}

/** The comments, identifiers and prose strings of a TypeScript file. Not a full parser: it only has to find words. */
function piecesOfCode(source: string): Piece[] {
  const token =
    /(?<comment>\/\/[^\n]*|\/\*[^]*?\*\/)|(?<string>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")|(?<name>[A-Za-z_$][\w$]*)/g
  const pieces: Piece[] = []
  let line = 1
  let at = 0
  for (const found of source.matchAll(token)) {
    for (; at < found.index; at++) if (source[at] === '\n') line++
    const { comment, string, name } = found.groups!
    if (name !== undefined) pieces.push({ line, kind: 'identifier', text: wordsOfName(name) })
    else if (comment !== undefined) pieces.push({ line, kind: 'prose', text: comment })
    else if (/\S \S/.test(string!) && !/[а-яё]/i.test(string!))
      pieces.push({ line, kind: 'prose', text: string!.slice(1, -1) })
  }
  return pieces
}

const wordsOfName = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replaceAll(/[_$]/g, ' ')
    .replace(/\bwish (list)/gi, 'wish$1')

const piecesOfMarkdown = (source: string): Piece[] =>
  source.split('\n').map((text, at) => ({ line: at + 1, kind: 'prose', text }))

/** Every banned word of a file, as `file:line word`. */
function bannedWords(file: string, source: string): string[] {
  const pieces = file.endsWith('.md') ? piecesOfMarkdown(source) : piecesOfCode(source)
  return pieces.flatMap(({ line, kind, text }) => {
    const found = [
      ...(anyWord.test(text) ? bans : []).flatMap((ban) =>
        kind === 'prose' && ban.identifiersOnly ? [] : wordsFound(ban, file, text),
      ),
      ...phrases.flatMap(({ phrase, instead }) => {
        const hit = phrase.exec(text)
        return hit ? [`"${hit[0]}" (write: ${instead})`] : []
      }),
    ]
    return found.map((it) => `${file}:${line} ${it}`)
  })
}

const patternOf = (words: string) => new RegExp(`(?<![\\w-])(${words.replaceAll(' ', '|')})(?![\\w])`, 'gi')
const patterns = new Map(bans.map((ban) => [ban, patternOf(ban.words)]))
/** Most pieces contain no banned word; one pattern for all of them decides that. */
const anyWord = new RegExp(patternOf(bans.map((it) => it.words).join(' ')), 'i')

function wordsFound(ban: Ban, file: string, text: string): string[] {
  const { instead, except } = ban
  if (except?.files?.test(file)) return []
  const rest = except?.phrase ? text.replace(except.phrase, '') : text
  return [...rest.matchAll(patterns.get(ban)!)].map(([word]) => `"${word}" (write: ${instead})`)
}

/** This file lists the words; the changelog lists old names of the wire; migrations are never edited. */
const exempt = /^(test\/words\.test\.ts|CHANGELOG\.md)$/

const files = () =>
  globSync(['*.md', 'docs/**/*.md', '{src,test,bench,bin}/**/*.{ts,js,md}'])
    .filter((it) => !exempt.test(it) && !it.includes('/kernels/source/'))
    .toSorted()

test('no word of the old dialect is left', () => {
  const seen = files()
  ok(seen.length > 300, 'the check must see the repository')
  const all = seen.flatMap((file) => bannedWords(file, readFileSync(file, 'utf8')))
  if (all.length > 0) fail(`${all.length} banned words:\n${all.join('\n')}`)
})

test('the check for banned words can fail', () => {
  const words = (file: string, source: string) => bannedWords(file, source).map((it) => /"(.*)"/.exec(it)![1])
  deepEqual(words('src/x.ts', 'const shelfKeeper = 1'), ['shelf', 'Keeper'])
  deepEqual(words('src/x.ts', '// Whoever asks is told.'), ['told', 'Whoever'])
  deepEqual(words('src/x.ts', `log.info('told 3 times')`), ['told'])
  deepEqual(words('docs/x.md', 'Twice equals once.'), ['Twice equals once'])
  deepEqual(words('src/x.ts', 'const DEED_COUNT = 1'), ['DEED'])
  deepEqual(words('src/x.ts', 'addToWishlist(wishlist, wish)'), ['wish'])
  deepEqual(words('src/x.ts', '// In fact a warehouse with a style sheet.'), [])
  deepEqual(words('src/x.ts', 'const threshold = the + factory + hero'), [])
})
