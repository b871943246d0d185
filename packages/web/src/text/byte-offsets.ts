/** Positions of one text, in UTF-16 units as browsers count, and in bytes of UTF-8 as the interface does. */
export interface ByteOffsets {
  readonly bytes: number;
  /** Within a surrogate pair: the byte where the character begins. Beyond the text: its end. */
  byteOf(unit: number): number;
  /** Within a character: the unit where it begins. Beyond the text: its end. */
  unitOf(byte: number): number;
}

/** A mark every so many units: the table stays small, and a look-up counts over at most one gap. */
const gapUnits = 1024;

/**
 * The one place where the two ways of counting meet. A byte order mark counts like every other character: three bytes, one
 * unit. `text` is whole characters, as decoding made it.
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

/** Each half of a pair counts two of its four bytes. */
function bytesOfUnit(unit: number): number {
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  return unit >= 0xd800 && unit <= 0xdfff ? 2 : 3;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** How many bytes of UTF-8 a text takes. */
export function utf8Bytes(text: string): number {
  let bytes = 0;
  for (let unit = 0; unit < text.length; unit += 1) bytes += bytesOfUnit(text.charCodeAt(unit));
  return bytes;
}
