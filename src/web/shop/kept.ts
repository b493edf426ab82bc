// Values that all visitors share, such as the category tree, kept for a short time. Cart, checkout and product pages read
// their prices at every request; lists of the home page may be as old as this.

const keptMs = 20_000
const maxKept = 5_000

export type Keep = <Value>(key: string, load: () => Promise<Value>) => Promise<Value>

export function openKept(): Keep {
  const kept = new Map<string, { until: number; value: Promise<unknown> }>()
  return <Value>(key: string, load: () => Promise<Value>): Promise<Value> => {
    const found = kept.get(key)
    if (found && found.until > Date.now()) return found.value as Promise<Value>
    const value = load()
    // The newest entry is the last one of the map, so the first one is the oldest.
    kept.delete(key)
    kept.set(key, { until: Date.now() + keptMs, value })
    if (kept.size > maxKept) kept.delete(kept.keys().next().value!)
    value.catch(() => kept.delete(key))
    return value
  }
}
