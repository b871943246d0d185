import { frontMatterBlock } from '@stoa/core';
import type { Day } from './calendar-days.ts';

/** `date:` at the start of a line, then its value, then white space or a comment to the end of the line. */
const dateLine = /^(date[ \t]*:)([ \t]*)([^\r\n#]*?)([ \t]*(?:#[^\r\n]*)?)(\r?\n)/m;

/**
 * The text with another `date` in its front matter: the value on that one line changes, and no other character does.
 * Without a `date` line one is added as the first of the block, with the line end that the block has; without front matter
 * a block is put in front of the text, after a byte order mark.
 */
export function changeDate(text: string, day: Day): string {
  const block = frontMatterBlock(text);
  if (block === null) {
    const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
    const lineEnd = /\r?\n/.exec(text)?.[0] ?? '\n';
    const front = ['---', `date: ${day}`, '---', ''].join(lineEnd);
    return `${mark}${front}${text.slice(mark.length)}`;
  }
  const { contentStart, contentEnd } = block;
  const content = text.slice(contentStart, contentEnd);
  const found = dateLine.exec(content);
  if (found === null) {
    const lineEnd = text[contentStart - 2] === '\r' ? '\r\n' : '\n';
    return `${text.slice(0, contentStart)}date: ${day}${lineEnd}${text.slice(contentStart)}`;
  }
  const [line, key = '', space = '', , rest = '', lineEnd = '\n'] = found;
  const changed = `${key}${space === '' ? ' ' : space}${day}${rest}${lineEnd}`;
  const at = contentStart + found.index;
  return text.slice(0, at) + changed + text.slice(at + line.length);
}

/** The text of a new note of a day. */
export function newNote(day: Day): string {
  return `---\ndate: ${day}\n---\n\n`;
}

/** `2026-11-20.md`, then `2026-11-20 2.md`, …: the first name that is free. */
export function newNoteName(day: Day, isTaken: (name: string) => boolean): string {
  const first = `${day}.md`;
  if (!isTaken(first)) return first;
  for (let number = 2; ; number += 1) {
    const name = `${day} ${number}.md`;
    if (!isTaken(name)) return name;
  }
}
