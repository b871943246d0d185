const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function encodeText(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Decodes a range of bytes; invalid UTF-8 becomes U+FFFD. */
export function decodeText(bytes: Uint8Array, start: number, end: number): string {
  return decoder.decode(bytes.subarray(start, end));
}

/** Returns the length of the character that begins at `at`; 1 if no valid character begins there. */
export function characterLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  const length = lead < 0xc2 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 1;
  for (let i = 1; i < length; i += 1) {
    if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return 1;
  }
  return length;
}

/**
 * Returns the code point of the character of `length` bytes at `at`. For a stray byte, a value above all code points.
 */
export function codePointAt(bytes: Uint8Array, at: number, length: number): number {
  const lead = bytes[at] ?? 0;
  if (length === 1) return lead < 0x80 ? lead : 0x11_0000 + lead;
  let code = lead & (0xff >> (length + 1));
  for (let i = 1; i < length; i += 1) code = (code << 6) | ((bytes[at + i] ?? 0) & 0x3f);
  return code;
}

/** True within a character: a cut here would break it. */
export function isInsideCharacter(bytes: Uint8Array, at: number): boolean {
  if (at <= 0 || at >= bytes.length || ((bytes[at] ?? 0) & 0xc0) !== 0x80) return false;
  for (let lead = at - 1; lead >= Math.max(0, at - 3); lead -= 1) {
    if (((bytes[lead] ?? 0) & 0xc0) !== 0x80) return lead + characterLength(bytes, lead) > at;
  }
  return false;
}
