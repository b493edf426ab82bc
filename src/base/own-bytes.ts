/**
 * A text as bytes in memory of their own, for caches. A short `Buffer.from` is a part of a block of 64 KiB that it shares with
 * others, so a kept one keeps the whole block.
 */
export function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}
