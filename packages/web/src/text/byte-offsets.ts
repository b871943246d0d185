/** Converts positions in a text between UTF-16 units (browsers) and UTF-8 bytes (the interface). */
export interface ByteOffsets {
  readonly bytes: number;
  /** Within a surrogate pair: the first byte of the character. Beyond the text: its end. */
  byteOf(unit: number): number;
  /** Within a character: its first unit. Beyond the text: its end. */
  unitOf(byte: number): number;
}

/** An index entry every so many units. This keeps the table small, and a lookup counts over at most one gap. */
const gapUnits = 1024;

/**
 * Converts between both counts; no other code does. A byte order mark counts like any other character: three bytes, one
 * unit. `text` has only whole characters, as decoding produces.
 */
export function byteOffsets(text: string): ByteOffsets {
  const marks: number[] = [];
  let bytes = 0;
  for (let unit = 0; unit < text.length; unit += 1) {
    if (unit % gapUnits === 0) marks.push(bytes);
    bytes += bytesOfUnit(text.charCodeAt(unit));
  }

  return {
    bytes,
    byteOf(asked) {
      const unit = Math.min(Math.max(asked, 0), text.length);
      const last = unit > 0 && isLowSurrogate(text.charCodeAt(unit)) ? unit - 1 : unit;
      const mark = Math.floor(last / gapUnits);
      let byte = marks[mark] ?? bytes;
      for (let at = mark * gapUnits; at < last; at += 1) byte += bytesOfUnit(text.charCodeAt(at));
      return byte;
    },
    unitOf(asked) {
      if (asked >= bytes) return text.length;
      let low = 0;
      let high = marks.length - 1;
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if ((marks[middle] ?? 0) <= asked) low = middle;
        else high = middle - 1;
      }
      let unit = low * gapUnits;
      let byte = marks[low] ?? 0;
      while (unit < text.length) {
        const next = byte + bytesOfUnit(text.charCodeAt(unit));
        if (next > asked) break;
        byte = next;
        unit += 1;
      }
      return unit > 0 && isLowSurrogate(text.charCodeAt(unit)) ? unit - 1 : unit;
    },
  };
}

/** Each half of a surrogate pair counts two of its four bytes. */
function bytesOfUnit(unit: number): number {
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  return unit >= 0xd800 && unit <= 0xdfff ? 2 : 3;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Length of a text in UTF-8 bytes. */
export function utf8Bytes(text: string): number {
  let bytes = 0;
  for (let unit = 0; unit < text.length; unit += 1) bytes += bytesOfUnit(text.charCodeAt(unit));
  return bytes;
}
