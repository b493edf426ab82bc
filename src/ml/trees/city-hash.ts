// CityHash64 version 1.0, the string hash CatBoost gives to categories; later versions differ.

const mask = 0xffffffffffffffffn
const k0 = 0xc3a5c85c97cb3127n
const k1 = 0xb492b66fbe98f273n
const k2 = 0x9ae16a3b2f90404fn
const k3 = 0xc949d7c7509e6557n
const mixMultiplier = 0x9ddfea08eb382d69n

/** The low 32 bits of a category's hash as a signed integer: what CatBoost keeps of a string. */
export function categoryHash(text: string): number {
  return Number(BigInt.asIntN(32, cityHash64(new TextEncoder().encode(text))))
}

/** CityHash64 v1.0 of the bytes. */
export function cityHash64(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length <= 16) return hashUpTo16(view)
  if (bytes.length <= 32) return hashUpTo32(view)
  if (bytes.length <= 64) return hashUpTo64(view)
  return hashLong(view)
}

function hashUpTo16(view: DataView): bigint {
  const length = view.byteLength
  const size = BigInt(length)
  if (length > 8) {
    const a = word(view, 0)
    const b = word(view, length - 8)
    return mix(a, rotated(wrapped(b + size), length)) ^ b
  }
  if (length >= 4) {
    return mix(size + (half(view, 0) << 3n), half(view, length - 4))
  }
  if (length > 0) {
    const y = view.getUint8(0) + (view.getUint8(length >> 1) << 8)
    const z = length + (view.getUint8(length - 1) << 2)
    return wrapped(shifted(wrapped(BigInt(y) * k2) ^ wrapped(BigInt(z) * k3)) * k2)
  }
  return k2
}

function hashUpTo32(view: DataView): bigint {
  const length = view.byteLength
  const a = wrapped(word(view, 0) * k1)
  const b = word(view, 8)
  const c = wrapped(word(view, length - 8) * k2)
  const d = wrapped(word(view, length - 16) * k0)
  return mix(
    wrapped(rotated(wrapped(a - b), 43) + rotated(c, 30) + d),
    wrapped(a + rotated(b ^ k3, 20) - c + BigInt(length)),
  )
}

function hashUpTo64(view: DataView): bigint {
  const length = view.byteLength
  const firstSeed = word(view, 0) + (BigInt(length) + word(view, length - 16)) * k0
  const [vf, vs] = halfDigest(view, firstSeed, word(view, 24), 8)
  const lastSeed = word(view, 16) + word(view, length - 32)
  const [wf, ws] = halfDigest(view, lastSeed, word(view, length - 8), length - 24)
  const r = shifted(wrapped((vf + ws) * k2 + (wf + vs) * k0))
  return wrapped(shifted(wrapped(r * k0 + vs)) * k2)
}

function halfDigest(view: DataView, seed: bigint, z: bigint, at: number): [bigint, bigint] {
  let a = wrapped(seed)
  const b = rotated(wrapped(a + z), 52)
  let c = rotated(a, 37)
  a = wrapped(a + word(view, at))
  c = wrapped(c + rotated(a, 7))
  a = wrapped(a + word(view, at + 8))
  return [wrapped(a + z), wrapped(b + rotated(a, 31) + c)]
}

function hashLong(view: DataView): bigint {
  const length = view.byteLength
  const size = BigInt(length)
  let x = word(view, 0)
  let y = word(view, length - 16) ^ k1
  let z = word(view, length - 56) ^ k0
  let v = weakHash(view, length - 64, size, y)
  let w = weakHash(view, length - 32, wrapped(size * k1), k0)
  z = wrapped(z + shifted(v[1]) * k1)
  x = wrapped(rotated(wrapped(z + x), 39) * k1)
  y = wrapped(rotated(y, 33) * k1)
  const end = (length - 1) & ~63
  for (let at = 0; at < end; at += 64) {
    x = wrapped(rotated(wrapped(x + y + v[0] + word(view, at + 16)), 37) * k1)
    y = wrapped(rotated(wrapped(y + v[1] + word(view, at + 48)), 42) * k1)
    x ^= w[1]
    y ^= v[0]
    z = rotated(z ^ w[0], 33)
    v = weakHash(view, at, wrapped(v[1] * k1), wrapped(x + w[0]))
    w = weakHash(view, at + 32, wrapped(z + w[1]), y)
    const before = z
    z = x
    x = before
  }
  return mix(wrapped(mix(v[0], w[0]) + shifted(y) * k1 + z), wrapped(mix(v[1], w[1]) + x))
}

function weakHash(view: DataView, at: number, seedA: bigint, seedB: bigint): [bigint, bigint] {
  const last = word(view, at + 24)
  const first = wrapped(seedA + word(view, at))
  let b = rotated(wrapped(seedB + first + last), 21)
  const a = wrapped(first + word(view, at + 8) + word(view, at + 16))
  b = wrapped(b + rotated(a, 44))
  return [wrapped(a + last), wrapped(b + first)]
}

function mix(low: bigint, high: bigint): bigint {
  let a = wrapped((wrapped(low) ^ wrapped(high)) * mixMultiplier)
  a ^= a >> 47n
  let b = wrapped((wrapped(high) ^ a) * mixMultiplier)
  b ^= b >> 47n
  return wrapped(b * mixMultiplier)
}

function shifted(value: bigint): bigint {
  return value ^ (value >> 47n)
}

function rotated(value: bigint, shift: number): bigint {
  const right = BigInt(shift)
  return (value >> right) | wrapped(value << (64n - right))
}

function wrapped(value: bigint): bigint {
  return value & mask
}

function word(view: DataView, at: number): bigint {
  return view.getBigUint64(at, true)
}

function half(view: DataView, at: number): bigint {
  return BigInt(view.getUint32(at, true))
}
