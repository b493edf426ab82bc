// Values that all visitors share, such as the category tree, kept for a short time. Cart, checkout and product pages read
// their prices at every request; lists of the home page may be as old as this.

const keptMs = 20_000
/** Keys hold the host that the visitor asked for, and anyone may ask for any: a few hundred bound the memory. */
const maxKept = 500

export type Keep = <Value>(key: string, load: () => Promise<Value>) => Promise<Value>

export function openKept(): Keep {
  const kept = new Map<string, { until: number; value: Promise<unknown> }>()
  return <Value>(key: string, load: () => Promise<Value>): Promise<Value> => {
    const found = kept.get(key)
    if (found && found.until > Date.now()) return found.value as Promise<Value>
    const value = load()
    kept.delete(key)
    kept.set(key, { until: Date.now() + keptMs, value })
    // The newest entry is the last one of the map, so the first ones are the oldest.
    for (const [oldest, { until }] of kept) {
      if (until > Date.now() && kept.size <= maxKept) break
      kept.delete(oldest)
    }
    value.catch(() => kept.delete(key))
    return value
  }
}
