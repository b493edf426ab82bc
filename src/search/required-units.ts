// Which units of a query may be left out when no product has all of them.

import { fields } from './fields.ts'
import { isAdjective } from './head-words.ts'
import type { KnownWords } from './known-words.ts'
import { isAccessory, isAnimal, isGenericNoun, isMaterial, isModelTier, isPurpose } from './lexicon.ts'
import type { QueryUnit } from './query-unit.ts'
import { isCyrillic } from './word-key.ts'

const minTitleLength = 4

/**
 * Things may not be left out, and nothing that defines a generic noun. Without a thing the brands are required, without
 * brands everything. Beside a number, a word as pro or max tells models of one series apart and may be left out. An unknown
 * word may be left out only beside a thing or a brand that is known, or when it looks like a name.
 */
export function withRequired(given: QueryUnit[], known: KnownWords): QueryUnit[] {
  const units = withoutPurposes(withNeeds(withoutAdjectives(withUnknown(given, known)), known))
  const things = units.filter((it) => it.role === 'thing')
  // A long number in a name says enough: a novel 1984.
  const isTitle = ({ role, words: [first] }: QueryUnit) =>
    role === 'number' && first!.word.length >= minTitleLength && known.isNamed(first!.word)
  const isModelName = ({ role, words: [first] }: QueryUnit) =>
    role === 'number' && /\p{L}/u.test(first!.word) && known.isNamed(first!.word)
  const isBrand = ({ role, isSeries }: QueryUnit) => role === 'brand' && !isSeries
  const brands = units.filter((it) => it.role === 'brand')
  const isTier = ({ words }: QueryUnit) => words.every((it) => isModelTier(it.word))
  const hasNumber = units.some((it) => it.role === 'number')
  const series = hasNumber ? brands.filter((it) => !isTier(it)) : brands
  const anchors = [things, series, brands].find((it) => it.length > 0) ?? []
  if (anchors.length === 0) anchors.push(...units.filter(isTitle))
  // Of several numbers, the model that some name has: A56 5g.
  if (anchors.length === 0) anchors.push(...units.filter(isModelName))
  if (anchors.length === 0) return units.map((it) => ({ ...it, isRequired: true }))
  const isGeneric =
    things.length > 0 && things.every((it) => it.words.length === 1 && isGenericNoun(it.words[0]!.word))
  const inCyrillic = units.some((it) => isCyrillic(it.words[0]!.word))
  return units.map((it) => {
    const { word, isPurpose: isFor, isAddition = false } = it.words[0]!
    const isName = inCyrillic && !isCyrillic(word)
    const isDefining =
      isGeneric && it.role === 'modifier' && !isAddition && !isPurpose(word) && !known.isNamed(word)
    const areFor =
      !anchors.some((anchor) => isTitle(anchor) || isBrand(anchor)) &&
      things.every((thing) => isForPurpose(thing) && isBefore(units, it, thing))
    const isPart = isFor && things.every((thing) => thing.words.length === 1)
    const isUnknown = it.role === 'unknown' && !isName && !isAddition && (isGeneric || isPart || areFor)
    return { ...it, isRequired: anchors.includes(it) || isDefining || isUnknown }
  })
}

/** Whether a unit only says what something is for. Of a need the first word is marked, as in «для сушки волос». */
const isForPurpose = ({ words, meanings }: QueryUnit): boolean =>
  meanings.some((it) => it.isNeed) ? words[0]!.isPurpose : words.every((it) => it.isPurpose)

/** Whether a unit precedes another one. What follows a need belongs to the sentence: to clean the floor under beds. */
const isBefore = (units: readonly QueryUnit[], one: QueryUnit, other: QueryUnit): boolean =>
  !other.meanings.some((it) => it.isNeed) || units.indexOf(one) < units.indexOf(other)

/**
 * A need stands for the thing that serves it, and the rest of the sentence may be left out. Beside the thing itself it only
 * says what that is for: a hair dryer to dry long hair.
 */
function withNeeds(units: QueryUnit[], known: KnownWords): QueryUnit[] {
  const isNeed = ({ meanings }: QueryUnit) => meanings.some((it) => it.isNeed)
  if (!units.some(isNeed)) return units
  // A verb that only shares its stem with a thing is part of the sentence: чем кормить is no корм.
  const isVerb = ({ words }: QueryUnit) =>
    words.length === 1 && verb.test(words[0]!.word) && !known.synonyms.hasForm(words[0]!.word)
  const isNamed = (it: QueryUnit) =>
    it.role === 'thing' &&
    !it.words[0]!.isPurpose &&
    !(it.isInside && !it.words.every(({ word }) => known.isListed(word))) &&
    !isVerb(it) &&
    !it.words.every(({ word }) => isGenericNoun(word))
  // What a conjunction joins with a word of the need belongs to it: заморозить ягоды и мясо.
  const isJoined = ({ words }: QueryUnit) => words.some((it) => it.isAlternative)
  const isOfNeed = (it: QueryUnit) => isJoined(it) || units.some((need) => isNeed(need) && isJoined(need))
  const hasThing = units.some((it) => !isNeed(it) && isNamed(it) && !isOfNeed(it))
  return units.flatMap((it) => {
    if (it.role !== 'thing' || isNeed(it) !== hasThing) return [it]
    const [brands, others] = withoutBrands(it, known)
    const said = others.map((word) => ({
      ...it,
      words: [word],
      typed: word.typed,
      role: 'modifier' as const,
      meanings: [],
    }))
    return isNeed(it) ? [...brands, ...said] : [{ ...it, role: 'modifier' as const, meanings: [] }]
  })
}

const verb = /(?:[аяеиоуы]ть|ться|[гк]?чь|.{3}ing)$/

/** The brands that a need names, which count beside the thing itself: a cover to protect an iPhone. */
function withoutBrands(
  { words, ...unit }: QueryUnit,
  known: KnownWords,
): [brands: QueryUnit[], others: QueryUnit['words']] {
  const isBrand = (word: string) =>
    known.synonyms.meaningsOf(word).some((it) => it.kind === 'brand') ||
    (known.exactFieldsOf(word) & fields.brand) !== 0
  const brands = words.filter((it) => isBrand(it.word))
  const brandUnit = (word: QueryUnit['words'][number]): QueryUnit => ({
    ...unit,
    words: [word],
    typed: word.typed,
    role: 'brand',
    meanings: known.synonyms.meaningsOf(word.word).filter((it) => it.kind === 'brand'),
  })
  return [brands.map(brandUnit), words.filter((it) => !brands.includes(it))]
}

/** Beside a noun, an adjective or a material that the dictionary has as a noun says how the thing is: сладкий аромат. */
function withoutAdjectives(units: QueryUnit[]): QueryUnit[] {
  const isSaidSo = ({ role, words }: QueryUnit) =>
    role === 'thing' && words.length === 1 && (isAdjective(words[0]!.word) || isMaterial(words[0]!.word))
  if (!units.some((it) => it.role === 'thing' && !isSaidSo(it))) return units
  return units.map((it) => (isSaidSo(it) ? { ...it, role: 'modifier' as const, meanings: [] } : it))
}

/** Without a thing, a brand or a number, a word that only descriptions mention is not what is sold: a sponge for dishes. */
function withUnknown(units: QueryUnit[], known: KnownWords): QueryUnit[] {
  if (units.some((it) => it.role !== 'modifier' && it.role !== 'unknown')) return units
  const isOnlyDescribed = ({ words: [first] }: QueryUnit) =>
    !isAdjective(first!.word) && !isPurpose(first!.word) && known.fieldsOf(first!.word) === fields.description
  return units.map((it) => (isOnlyDescribed(it) ? { ...it, role: 'unknown' as const } : it))
}

/**
 * What a thing is for, with or on narrows it and may be left out: headphones with a microphone, a mixer for dough. Not so
 * for parts, accessories and generic nouns, and not for what belongs to animals: there the purpose says what it is.
 */
function withoutPurposes(units: QueryUnit[]): QueryUnit[] {
  const isSaid = (it: QueryUnit) => it.role === 'thing' || it.role === 'unknown'
  // Beside a known thing, an unknown word is no thing: чем убрать шерсть с ковра, пылесос.
  const heads = units.filter((it) => it.role === 'thing' && !it.words[0]!.isPurpose)
  const isOwn = ({ role, words }: QueryUnit) =>
    role === 'thing' && !words.some((it) => isGenericNoun(it.word) || isAccessory(it.word))
  if (heads.length === 0) return units
  const areOwn = heads.every(isOwn)
  const areParts = heads.some((it) => it.words.some(({ word }) => isAccessory(word)))
  return units.map((it, at) => {
    const word = it.words[0]!
    const isMeasured = heads.length > 1 && heads[0] !== it && units[at - 1]?.role === 'number'
    const isLoose = areOwn ? word.isPurpose || isMeasured : word.isAddition === true && !areParts
    if (!isSaid(it) || !isLoose || isAnimal(word.word)) return it
    return { ...it, role: 'modifier' as const, meanings: [] }
  })
}
