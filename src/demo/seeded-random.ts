// Deterministic random values. Every draw has a name, so an additional draw does not change the others.

/** The same seed and name always give the same value. */
export class SeededRandom {
  readonly #seed: string

  constructor(seed: string) {
    this.#seed = seed
  }

  /** In [0, 1). */
  share(name: string): number {
    return hashOf(`${this.#seed}/${name}`) / 2 ** 32
  }

  /** An integer from `first` to `last`, both inclusive. */
  whole(name: string, first: number, last: number): number {
    return first + Math.floor(this.share(name) * (last - first + 1))
  }

  oneOf<T>(name: string, choices: readonly T[]): T {
    return choices[this.whole(name, 0, choices.length - 1)]!
  }

  shuffled<T>(name: string, things: readonly T[]): T[] {
    const drawn = things.map((thing, at) => ({ thing, at, share: this.share(`${name}/${at}`) }))
    return drawn.sort((a, b) => a.share - b.share || a.at - b.at).map((it) => it.thing)
  }

  /** A generator for many draws, where a name for each would be too slow. */
  stream(name: string): () => number {
    let state = hashOf(`${this.#seed}/${name}`)
    return () => {
      state = (state + 0x6d2b79f5) >>> 0
      return finished(state) / 2 ** 32
    }
  }

  /** In the format of a version 4 UUID. */
  uuid(name: string): string {
    const hex = [0, 1, 2, 3].map((at) => hashOf(`${this.#seed}/${name}/${at}`).toString(16).padStart(8, '0'))
    const text = hex.join('')
    const variant = '89ab'[Number.parseInt(text[16]!, 16) % 4]
    return `${text.slice(0, 8)}-${text.slice(8, 12)}-4${text.slice(13, 16)}-${variant}${text.slice(17, 20)}-${text.slice(20)}`
  }
}

/** FNV-1a with the finalizer of MurmurHash3, so that every character affects every bit. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return finished(hash)
}

function finished(state: number): number {
  let hash = state
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
