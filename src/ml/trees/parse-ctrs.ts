import {
  ctrTypes,
  type CategoricalFeature,
  type Ctr,
  type CtrElement,
  type CtrTable,
  type FloatFeature,
} from './model.ts'
import { ctrTable } from './ctr-table.ts'
import {
  asBorders,
  asIndex,
  asInt32,
  asList,
  asNumber,
  asObject,
  asOneOf,
  optionalList,
  type Json,
} from './json-shape.ts'
import { ModelError } from './model-error.ts'

const maxStride = 4096
const maxElements = 64
const emptyBucket = 0xffffffffffffffffn
const unsignedDecimal = /^\d{1,20}$/

interface Plain {
  floats: FloatFeature[]
  categoricals: CategoricalFeature[]
}

/** The CTRs of a model and the tables their values come from; CTRs of one combination and type share a table. */
export function parseCtrs(file: Json, features: Json, plain: Plain): { ctrs: Ctr[]; tables: CtrTable[] } {
  const listed = optionalList(features, 'ctrs', 'features_info')
  const data = file['ctr_data'] === undefined ? {} : asObject(file['ctr_data'], 'ctr_data')
  const tables: CtrTable[] = []
  const numbers = new Map<string, number>()
  const ctrs = listed.map((item, i) => {
    const place = `features_info.ctrs[${i}]`
    const entry = asObject(item, place)
    const identifier = String(entry['identifier'])
    let table = numbers.get(identifier)
    if (table === undefined) {
      if (data[identifier] === undefined) throw new ModelError(`ctr_data has no table for ${place}.`)
      const elements = parseElements(entry, place, plain)
      table = tables.push(parseTable(asObject(data[identifier], 'ctr_data'), elements)) - 1
      numbers.set(identifier, table)
    }
    return parseCtr(entry, place, { number: table, table: tables[table]! })
  })
  return { ctrs, tables }
}

function parseCtr(entry: Json, place: string, owner: { number: number; table: CtrTable }): Ctr {
  const type = asOneOf(entry['ctr_type'], ctrTypes, `${place}.ctr_type`)
  const { stride } = owner.table
  if (type.endsWith('MeanValue') && stride < 2)
    throw new ModelError(`${place} needs a sum and a count a key.`)
  const limit = type === 'Borders' ? Math.max(1, stride - 1) : type === 'Buckets' ? stride : maxStride
  return {
    type,
    table: owner.number,
    targetBorder: asIndex(entry['target_border_idx'] ?? 0, limit, `${place}.target_border_idx`),
    priorNumerator: asNumber(entry['prior_numerator'], `${place}.prior_numerator`),
    priorDenominator: asNumber(entry['prior_denomerator'], `${place}.prior_denomerator`),
    shift: asNumber(entry['shift'], `${place}.shift`),
    scale: asNumber(entry['scale'], `${place}.scale`),
    borders: asBorders(entry['borders'], `${place}.borders`),
  }
}

function parseElements(entry: Json, place: string, plain: Plain): CtrElement[] {
  const items = asList(entry['elements'], `${place}.elements`)
  if (items.length === 0 || items.length > maxElements) {
    throw new ModelError(`${place}.elements should name from 1 to ${maxElements} features.`)
  }
  return items.map((item, i) => parseElement(asObject(item, place), `${place}.elements[${i}]`, plain))
}

function parseElement(entry: Json, place: string, plain: Plain): CtrElement {
  const kinds = ['cat_feature_value', 'float_feature', 'cat_feature_exact_value'] as const
  const kind = asOneOf(entry['combination_element'], kinds, `${place}.combination_element`)
  if (kind === 'float_feature') {
    return {
      kind: 'border',
      feature: asIndex(entry['float_feature_index'], plain.floats.length, `${place}.float_feature_index`),
      border: Math.fround(asNumber(entry['border'], `${place}.border`)),
    }
  }
  const feature = asIndex(entry['cat_feature_index'], plain.categoricals.length, `${place}.cat_feature_index`)
  if (kind === 'cat_feature_value') return { kind: 'category', feature }
  return { kind: 'value', feature, value: asInt32(entry['value'], `${place}.value`) }
}

function parseTable(entry: Json, elements: CtrElement[]): CtrTable {
  const place = 'ctr_data.hash_map'
  const stride = asIndex(entry['hash_stride'], maxStride, 'ctr_data.hash_stride')
  const map = asList(entry['hash_map'], place)
  if (stride < 2 || map.length % stride !== 0) {
    throw new ModelError(`${place} has ${map.length} items, which is no multiple of its stride ${stride}.`)
  }
  const low: number[] = []
  const high: number[] = []
  const stats: number[] = []
  const seen = new Set<bigint>()
  for (let at = 0; at < map.length; at += stride) {
    const key = parseKey(map[at], `${place}[${at}]`)
    if (key === emptyBucket) continue
    if (seen.has(key)) throw new ModelError(`${place}[${at}] repeats the key ${key}.`)
    seen.add(key)
    low.push(Number(key & 0xffffffffn))
    high.push(Number(key >> 32n))
    for (let i = 1; i < stride; i++) stats.push(asNumber(map[at + i], `${place}[${at + i}]`))
  }
  const keys = { low: Uint32Array.from(low), high: Uint32Array.from(high) }
  const denominator = asNumber(entry['counter_denominator'] ?? 0, 'ctr_data.counter_denominator')
  return ctrTable(elements, keys, { stride: stride - 1, stats: Float64Array.from(stats), denominator })
}

function parseKey(value: unknown, place: string): bigint {
  if (typeof value === 'string' && unsignedDecimal.test(value)) {
    const key = BigInt(value)
    if (key <= emptyBucket) return key
  }
  throw new ModelError(`${place} should be a 64-bit hash written as a decimal string.`)
}
