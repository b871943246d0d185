import { composeFrontMatter } from '@stoa/core/front-matter';
import { type Document, isMap } from 'yaml';
import type { FrontMatter } from '../ports/front-matter.ts';

const titleCharactersMax = 200;

/**
 * Parses the lines between the two `---` of a markdown file (interface: files, Front matter). YAML of the core schema
 * without aliases; null when it is invalid or has no field that is used.
 *
 * Deterministic, so that the result can be stored by hash: it does not depend on time, memory or earlier calls.
 */
export function parseFrontMatter(block: string): FrontMatter | null {
  const document = composeFrontMatter(block);
  if (document === null || !isMap(document.contents)) return null;
  const date = parseDate(textOf(document, 'date'));
  const title = parseTitle(textOf(document, 'title'));
  const view = textOf(document, 'view') === 'calendar' ? 'calendar' : null;
  return date === null && title === null && view === null ? null : { date, title, view };
}

function textOf(document: Document, key: string): string | null {
  const value = document.get(key);
  return typeof value === 'string' ? value : null;
}

function parseDate(text: string | null): string | null {
  const parts = text === null ? null : /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (text === null || parts === null) return null;
  const [year = 0, month = 0, day = 0] = parts.slice(1).map(Number);
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day);
  return midnight.getUTCMonth() === month - 1 && midnight.getUTCDate() === day ? text : null;
}

/** One line, trimmed and cut. */
function parseTitle(text: string | null): string | null {
  const line = text?.trim() ?? '';
  // A lone surrogate cannot be stored. Control characters include every line end except the two below.
  if (line === '' || !line.isWellFormed() || /[^\P{Cc}\t]|[\u2028\u2029]/u.test(line)) return null;
  return [...line].slice(0, titleCharactersMax).join('').trimEnd();
}
