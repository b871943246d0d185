import type { ByteRange } from '../anchor.ts';
import { contextMaxBytes } from '../anchoring-limits.ts';
import { decodeText, encodeText, isInsideCharacter } from '../text/utf8.ts';

/** The text around an anchor that its thread stores, at most `contextMaxBytes` to each side. */
export interface StoredContexts {
  readonly contextBefore: string;
  readonly contextAfter: string;
}

/**
 * Returns the requested contexts if they surround the range byte for byte; else the file's own, cut between characters.
 */
export function storedContexts(
  content: Uint8Array,
  range: ByteRange,
  asked: { readonly contextBefore?: string | undefined; readonly contextAfter?: string | undefined } = {},
): StoredContexts {
  const before = encodeText(asked.contextBefore ?? '');
  const after = encodeText(asked.contextAfter ?? '');
  let start = Math.max(0, range.start - contextMaxBytes);
  let end = Math.min(content.length, range.end + contextMaxBytes);
  while (start < range.start && isInsideCharacter(content, start)) start += 1;
  while (end > range.end && isInsideCharacter(content, end)) end -= 1;
  if (standsAt(content, before, range.start - before.length)) start = range.start - before.length;
  if (standsAt(content, after, range.end)) end = range.end + after.length;
  return {
    contextBefore: decodeText(content, start, range.start),
    contextAfter: decodeText(content, range.end, end),
  };
}

/** False for the empty text: without a requested context the file's own is stored. */
function standsAt(content: Uint8Array, text: Uint8Array, at: number): boolean {
  if (text.length === 0 || at < 0) return false;
  for (let i = 0; i < text.length; i += 1) if (content[at + i] !== text[i]) return false;
  return true;
}
