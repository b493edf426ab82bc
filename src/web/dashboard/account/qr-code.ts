// QR codes (ISO/IEC 18004) of short texts: bytes, the lowest level of error correction, versions 1 to 15.

/** Error correction bytes of a block and the number of blocks, by version. */
const correctionBytes = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22]
const blockCounts = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6]
const byteMode = 4
/** Level L with mask 0, with its own error correction, as the standard prints it. */
const formatBits = 0b111011111000100
const isMasked = (x: number, y: number): boolean => (x + y) % 2 === 0

type Grid = { isDark: boolean[][]; isFixed: boolean[][] }

/** Rows of modules; true is dark. Undefined for a text that is too long. */
export function qrCode(text: string): boolean[][] | undefined {
  const bytes = new TextEncoder().encode(text)
  const version = correctionBytes.findIndex((_, at) => capacityOf(at + 1) >= neededBytes(bytes, at + 1)) + 1
  if (version === 0) return undefined
  const grid = patternsOf(version)
  place(grid, codewordsOf(bytes, version))
  return grid.isDark
}

const neededBytes = (bytes: Uint8Array, version: number): number =>
  Math.ceil((4 + (version < 10 ? 8 : 16) + bytes.length * 8) / 8)

/** All modules that carry data or error correction, in bytes. */
function totalBytes(version: number): number {
  const alignments = version === 1 ? 0 : Math.floor(version / 7) + 2
  let modules = (16 * version + 128) * version + 64
  if (version >= 2) modules -= (25 * alignments - 10) * alignments - 55
  if (version >= 7) modules -= 36
  return Math.floor(modules / 8)
}

const capacityOf = (version: number): number =>
  totalBytes(version) - correctionBytes[version - 1]! * blockCounts[version - 1]!

/** The text as bytes of data with error correction, interleaved by blocks. */
function codewordsOf(bytes: Uint8Array, version: number): number[] {
  const data = dataOf(bytes, version)
  const [blocks, correction] = [blockCounts[version - 1]!, correctionBytes[version - 1]!]
  const shortLength = Math.floor(data.length / blocks)
  const shortBlocks = blocks - (data.length % blocks)
  const parts: number[][] = []
  for (let at = 0, from = 0; at < blocks; at++) {
    const length = shortLength + (at < shortBlocks ? 0 : 1)
    parts.push(data.slice(from, from + length))
    from += length
  }
  const interleaved = (rows: number[][]) =>
    Array.from({ length: Math.max(...rows.map((it) => it.length)) }, (_, at) =>
      rows.flatMap((it) => it[at] ?? []),
    ).flat()
  return [...interleaved(parts), ...interleaved(parts.map((it) => correctionOf(it, correction)))]
}

function dataOf(bytes: Uint8Array, version: number): number[] {
  const capacity = capacityOf(version)
  const bits = [
    ...bitsOf(byteMode, 4),
    ...bitsOf(bytes.length, version < 10 ? 8 : 16),
    ...[...bytes].flatMap((it) => bitsOf(it, 8)),
  ]
  // Four zeros end the text where there is room, and the last byte is filled up.
  for (let zeros = 0; bits.length < capacity * 8 && (zeros < 4 || bits.length % 8 !== 0); zeros++)
    bits.push(0)
  const data: number[] = []
  for (let at = 0; at < bits.length; at += 8) data.push(Number.parseInt(bits.slice(at, at + 8).join(''), 2))
  for (let at = 0; data.length < capacity; at++) data.push(at % 2 === 0 ? 0xec : 0x11)
  return data
}

const bitsOf = (value: number, length: number): number[] =>
  Array.from({ length }, (_, at) => (value >>> (length - 1 - at)) & 1)

/** Exponents and logarithms in the field of 256 elements. */
const { powers, logarithms } = (() => {
  const [exponents, logs]: [number[], number[]] = [[], []]
  for (let at = 0, value = 1; at < 255; at++) {
    exponents[at] = value
    logs[value] = at
    value = (value << 1) ^ (value >> 7 ? 0x11d : 0)
  }
  return { powers: exponents, logarithms: logs }
})()

const multiply = (a: number, b: number): number =>
  a === 0 || b === 0 ? 0 : powers[(logarithms[a]! + logarithms[b]!) % 255]!

/** The remainder of Reed–Solomon division. */
export function correctionOf(data: readonly number[], length: number): number[] {
  let divisor = [1]
  for (let at = 0; at < length; at++)
    divisor = [...divisor, 0].map((it, place) => it ^ multiply(divisor[place - 1] ?? 0, powers[at]!))
  const rest = Array<number>(length).fill(0)
  for (const byte of data) {
    const factor = byte ^ rest.shift()!
    rest.push(0)
    for (let at = 0; at < length; at++) rest[at]! ^= multiply(divisor[at + 1]!, factor)
  }
  return rest
}

/** An empty code: finders, timing, alignment, format and version. */
function patternsOf(version: number): Grid {
  const size = version * 4 + 17
  const rows = () => Array.from({ length: size }, () => Array<boolean>(size).fill(false))
  const grid: Grid = { isDark: rows(), isFixed: rows() }
  const set = (x: number, y: number, isDark: boolean) => {
    if (x < 0 || y < 0 || x >= size || y >= size) return
    grid.isDark[y]![x] = isDark
    grid.isFixed[y]![x] = true
  }
  for (let at = 0; at < size; at++) {
    set(6, at, at % 2 === 0)
    set(at, 6, at % 2 === 0)
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    square(set, { x, y, radius: 4, lightRings: [2, 4] })
  const places = alignmentPlaces(version, size)
  const last = places.length - 1
  for (const [i, y] of places.entries())
    for (const [j, x] of places.entries())
      if (!((i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0)))
        square(set, { x, y, radius: 2, lightRings: [1] })
  drawFormat(set, size)
  if (version >= 7) drawVersion(set, version, size)
  return grid
}

type SetModule = (x: number, y: number, isDark: boolean) => void

function square(
  set: SetModule,
  { x, y, radius, lightRings }: { x: number; y: number; radius: number; lightRings: number[] },
): void {
  for (let dy = -radius; dy <= radius; dy++)
    for (let dx = -radius; dx <= radius; dx++)
      set(x + dx, y + dy, !lightRings.includes(Math.max(Math.abs(dx), Math.abs(dy))))
}

function alignmentPlaces(version: number, size: number): number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2
  return [6, ...Array.from({ length: count - 1 }, (_, at) => size - 7 - (count - 2 - at) * step)]
}

function drawFormat(set: SetModule, size: number): void {
  const bit = (at: number) => ((formatBits >>> at) & 1) === 1
  for (let at = 0; at <= 5; at++) set(8, at, bit(at))
  set(8, 7, bit(6))
  set(8, 8, bit(7))
  set(7, 8, bit(8))
  for (let at = 9; at < 15; at++) set(14 - at, 8, bit(at))
  for (let at = 0; at < 8; at++) set(size - 1 - at, 8, bit(at))
  for (let at = 8; at < 15; at++) set(8, size - 15 + at, bit(at))
  set(8, size - 8, true)
}

function drawVersion(set: SetModule, version: number, size: number): void {
  let rest = version
  for (let at = 0; at < 12; at++) rest = (rest << 1) ^ ((rest >>> 11) * 0x1f25)
  const bits = (version << 12) | rest
  for (let at = 0; at < 18; at++) {
    const [a, b, isDark] = [size - 11 + (at % 3), Math.floor(at / 3), ((bits >>> at) & 1) === 1]
    set(a, b, isDark)
    set(b, a, isDark)
  }
}

/** Fills the free modules in columns of two, upwards and downwards in turn, and masks them. */
function place({ isDark, isFixed }: Grid, codewords: readonly number[]): void {
  const size = isDark.length
  let at = 0
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5
    for (let turn = 0; turn < size * 2; turn++) {
      const x = right - (turn % 2)
      const isUpward = ((right + 1) & 2) === 0
      const y = isUpward ? size - 1 - Math.floor(turn / 2) : Math.floor(turn / 2)
      if (isFixed[y]![x]) continue
      const bit = ((codewords[at >>> 3] ?? 0) >>> (7 - (at & 7))) & 1
      isDark[y]![x] = (bit === 1) !== isMasked(x, y)
      at++
    }
  }
}
