/**
 * Returns the length of the white-space character at `at` in bytes, or 0: the ASCII ones, NEL, NBSP and the other
 * Unicode spaces. Zero-width characters do not count: two texts that differ in them are different.
 */
export function spaceLengthAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return first === 0x20 || (first >= 0x09 && first <= 0x0d && at < bytes.length) ? 1 : 0;
  const second = bytes[at + 1] ?? 0;
  if (first === 0xc2) return second === 0xa0 || second === 0x85 ? 2 : 0;
  const third = bytes[at + 2] ?? 0;
  if (first === 0xe2) {
    if (second === 0x80)
      return (third >= 0x80 && third <= 0x8a) || third === 0xa8 || third === 0xa9 || third === 0xaf ? 3 : 0;
    return second === 0x81 && third === 0x9f ? 3 : 0;
  }
  if (first === 0xe1) return second === 0x9a && third === 0x80 ? 3 : 0;
  return first === 0xe3 && second === 0x80 && third === 0x80 ? 3 : 0;
}

/** Returns the end of the white space that begins at `at`, or `at` itself without white space. */
export function spaceEnd(bytes: Uint8Array, at: number, end: number): number {
  let next = at;
  while (next < end) {
    const length = spaceLengthAt(bytes, next);
    if (length === 0) break;
    next += length;
  }
  return next;
}

/** Returns the start of the white space that ends at `at`, or `at` itself without white space. */
export function spaceStart(bytes: Uint8Array, at: number, start: number): number {
  let next = at;
  for (;;) {
    let length = 0;
    for (let size = 1; size <= 3 && next - size >= start; size += 1) {
      if (spaceLengthAt(bytes, next - size) === size) length = size;
    }
    if (length === 0) return next;
    next -= length;
  }
}
