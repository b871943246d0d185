import { frontMatterBlock } from '@stoa/core';
import { composeFrontMatter, type FrontMatter, readFrontMatter } from '@stoa/core/front-matter';

type Pair = NonNullable<FrontMatter['map']>['items'][number];

/**
 * Returns the text with another `date` in its front matter. Only the value changes. Without a `date`, it becomes the
 * first line of the block. Without front matter, a block is inserted at the start, after a byte order mark.
 * Null if the result would not be front matter with this date and everything else unchanged, for example after an error
 * in the block.
 */
export function changeDate(text: string, day: string): string | null {
  const before = readFrontMatter(text);
  const changed = before === null ? withBlock(text, day) : withDate(text, before, day);
  const after = changed === null ? null : readFrontMatter(changed);
  const date: unknown = after?.map?.get('date');
  if (changed === null || after === null || date !== day) return null;
  const isRestSame =
    othersIn(after) === othersIn(before) &&
    (before === null || changed.slice(after.end) === text.slice(before.end));
  return isRestSame ? changed : null;
}

function withBlock(text: string, day: string): string | null {
  const block = frontMatterBlock(text);
  // A new block before broken YAML would make the author's intended front matter plain text.
  if (block !== null && composeFrontMatter(text.slice(block.contentStart, block.contentEnd)) === null)
    return null;
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const lineEnd = /\r?\n/.exec(text)?.[0] ?? '\n';
  const front = ['---', `date: ${day}`, '---', ''].join(lineEnd);
  return `${mark}${front}${text.slice(mark.length)}`;
}

function withDate(text: string, { contentStart, contentEnd, map }: FrontMatter, day: string): string | null {
  const content = text.slice(contentStart, contentEnd);
  const replaced = (from: number, to: number, by: string) =>
    text.slice(0, contentStart + from) + by + text.slice(contentStart + to);
  const dated = map?.items.find(isDate);
  if (dated === undefined) {
    const lineEnd = text[contentStart - 2] === '\r' ? '\r\n' : '\n';
    const firstKey = map?.items[0]?.key.range[0] ?? 0;
    const indent = /(?:^|\n)([ \t]*)$/.exec(content.slice(0, firstKey))?.[1] ?? '';
    return replaced(0, 0, `${indent}date: ${day}${lineEnd}`);
  }
  const { value } = dated;
  if (value === null || !('source' in value)) return null;
  const [start, end] = value.range;
  const written = content.slice(start, end).trimEnd();
  if (written !== '') return replaced(start, start + written.length, day);
  // The offset of an empty value is after the spaces that belong to a comment.
  const colon = content.slice(0, start).trimEnd().length;
  return replaced(colon, colon, ` ${day}`);
}

/** All entries except the date, for comparison. */
function othersIn(read: FrontMatter | null): string {
  const others = (read?.map?.items ?? []).filter((pair) => !isDate(pair));
  return JSON.stringify(others.map(({ key, value }) => [String(key), String(value)]));
}

function isDate({ key }: Pair): boolean {
  return 'value' in key && key.value === 'date';
}
