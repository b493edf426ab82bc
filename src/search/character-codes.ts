// The UTF-16 codes of a text in an array. Reading an array is several times faster than `charCodeAt`, which finds out for
// every character how the string is stored.

const shortText = 4_096
/** Reused by every text that fits: all uses are synchronous and end before the next text. */
const scratch = Buffer.alloc(2 * shortText)
const scratchCodes = new Uint16Array(scratch.buffer, scratch.byteOffset, shortText)

/** Valid until the next call; only as many codes as the text is long. */
export function codesOf(text: string): Uint16Array {
  if (text.length <= shortText) {
    scratch.write(text, 'utf16le')
    return scratchCodes
  }
  const bytes = Buffer.alloc(2 * text.length)
  bytes.write(text, 'utf16le')
  return new Uint16Array(bytes.buffer, bytes.byteOffset, text.length)
}
