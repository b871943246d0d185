/** Letters form words. In scripts without spaces between words each sign is a word. A mark is not a word. */
export type CharacterKind = 'letter' | 'sign' | 'mark';

/** Returns the kind of a code point that is not white space. */
export function characterKind(code: number): CharacterKind {
  if (code < 0x80) {
    const letter = code | 0x20;
    return (letter >= 0x61 && letter <= 0x7a) || (code >= 0x30 && code <= 0x39) ? 'letter' : 'mark';
  }
  if (code < 0xc0) return code === 0xaa || code === 0xb5 || code === 0xba ? 'letter' : 'mark';
  const unspaced =
    (code >= 0x0e00 && code < 0x0f00) ||
    (code >= 0x1000 && code < 0x10a0) ||
    (code >= 0x1780 && code < 0x1800);
  if (code < 0x2000) return unspaced ? 'sign' : 'letter';
  if (code < 0x2c00 || (code >= 0x2e00 && code < 0x2e80) || (code >= 0x3000 && code < 0x3040)) return 'mark';
  if (code < 0x2e00) return 'letter';
  if (code >= 0xa4d0 && code < 0xac00) return 'letter';
  if ((code >= 0xfb00 && code < 0xfe00) || (code >= 0xfe70 && code < 0xff00)) return 'letter';
  if (code < 0xd800 || (code >= 0xf900 && code < 0xfb00) || (code >= 0x1_b000 && code < 0x1_c000))
    return 'sign';
  return code >= 0x2_0000 && code < 0x4_0000 ? 'sign' : 'mark';
}
