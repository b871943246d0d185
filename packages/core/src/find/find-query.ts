import { invalidRequest } from '../errors.ts';
import { foldCase } from '../search/find-lines.ts';
import { isLoneCharacter, visitWords } from './words.ts';

export const findQueryMaxCharacters = 200;
export const findQueryMaxWords = 16;
export const findLimitDefault = 20;
export const findLimitMax = 100;

/** A folded word of a query. A prefix matches every word that begins with it. */
export interface AskedWord {
  readonly word: string;
  readonly isPrefix: boolean;
}

/**
 * A word or a phrase of a query. All of its words must be there, in any order: `front-end` has two. A phrase must also be
 * in one line, or in the path; `phrase` is that text, folded by `foldCase`. Only a phrase can be without words: `"=>"`.
 */
export interface FindTerm {
  readonly words: readonly AskedWord[];
  readonly phrase: string | null;
}

export type FindFilter =
  /** Files and folders in this folder. No slash at the end. */
  | { readonly kind: 'in'; readonly folder: string }
  /** Name of the member or key that made the last change, folded; `agents` and `people` mean all of them. */
  | { readonly kind: 'by'; readonly name: string }
  | { readonly kind: 'type'; readonly type: string }
  | { readonly kind: 'tag'; readonly tag: string }
  /** Milliseconds since the epoch. `before` excludes that moment, `after` includes it. */
  | { readonly kind: 'before' | 'after'; readonly at: number }
  | { readonly kind: 'is'; readonly what: 'conflict' };

export interface FindQuery {
  /** A file must match at least one term of each group. */
  readonly groups: readonly (readonly FindTerm[])[];
  /** A file must match none of these. */
  readonly excluded: readonly FindTerm[];
  readonly filters: readonly FindFilter[];
}

/** One item of a query as it is written. */
interface Item {
  readonly isExcluded: boolean;
  readonly text: string;
  readonly isPhrase: boolean;
  readonly filter: FindFilter | null;
}

const items = /(-?)(?:([a-z]+):)?"([^"]*)"(?=\s|$)|(\S+)/giu;

/**
 * Parses a query. Words are combined with AND, `OR` between two words binds tighter, `-` excludes, the
 * last word is also a prefix. A filter that is unknown or has an unusable value is an ordinary word.
 *
 * @throws WorkspaceError `invalid_request` for an empty query, or beyond 200 characters or 16 words.
 */
export function parseFindQuery(text: string): FindQuery {
  if (text.length > findQueryMaxCharacters * 2 || [...text].length > findQueryMaxCharacters) {
    throw invalidRequest(`the query is longer than ${findQueryMaxCharacters} characters`);
  }
  const read = [...text.toWellFormed().matchAll(items)].map(readItem);
  if (read.length === 0) throw invalidRequest('the query is empty');
  const words = read.reduce((sum, item) => sum + countWords(item), 0);
  if (words > findQueryMaxWords) throw invalidRequest(`the query has more than ${findQueryMaxWords} words`);
  const groups: FindTerm[][] = [];
  const excluded: FindTerm[] = [];
  const filters: FindFilter[] = [];
  let joins = false;
  const last = read.findLastIndex(({ filter }) => filter === null);
  for (const [at, item] of read.entries()) {
    if (item.filter !== null) filters.push(item.filter);
    else if (isOr(item) && isWord(read[at - 1]) && isWord(read[at + 1])) joins = true;
    else {
      const term = termOf(item, at === last);
      if (term === null) continue;
      if (item.isExcluded) excluded.push(term);
      else if (joins) groups.at(-1)?.push(term);
      else groups.push([term]);
      joins = false;
    }
  }
  if (groups.length + excluded.length + filters.length > 0) return { groups, excluded, filters };
  // Punctuation alone is taken literally. Between words it only separates.
  const signs = read
    .filter(({ text: literal }) => literal.trim() !== '')
    .map(({ text: literal }) => [{ words: [], phrase: foldCase(literal) }]);
  if (signs.length === 0) throw invalidRequest('the query is empty');
  return { groups: signs, excluded, filters };
}

function readItem({ 0: whole, 1: dash, 2: name, 3: quoted, 4: bare }: RegExpExecArray): Item {
  if (quoted !== undefined) {
    const isExcluded = dash === '-';
    if (name === undefined) return { isExcluded, text: quoted, isPhrase: true, filter: null };
    const filter = isExcluded ? null : filterOf(name, quoted);
    return { isExcluded: false, text: whole, isPhrase: false, filter };
  }
  const text = bare ?? '';
  const [, filterName, value] = /^([a-z]+):(.+)$/isu.exec(text) ?? [];
  if (filterName !== undefined && value !== undefined) {
    const filter = filterOf(filterName, value);
    if (filter !== null) return { isExcluded: false, text, isPhrase: false, filter };
  }
  const isExcluded = text.startsWith('-') && text.length > 1;
  return { isExcluded, text: isExcluded ? text.slice(1) : text, isPhrase: false, filter: null };
}

const isOr = ({ text, isPhrase, isExcluded }: Item): boolean => text === 'OR' && !isPhrase && !isExcluded;
const isWord = (item: Item | undefined): boolean =>
  item !== undefined && item.filter === null && !item.isExcluded && termOf(item, false) !== null;

function countWords(item: Item): number {
  if (item.filter !== null || isOr(item)) return 0;
  return item.isPhrase ? item.text.split(/\s+/u).filter((word) => word !== '').length : 1;
}

/** @returns null for a word without letters and digits, which no index has, and for an empty phrase */
function termOf({ text, isPhrase, isExcluded }: Item, isLast: boolean): FindTerm | null {
  const words: AskedWord[] = [];
  visitWords(text, (word, _start, _end, kind) => {
    if (kind === 'whole') words.push({ word, isPrefix: !isPhrase && isLoneCharacter(word) });
  });
  const last = words.at(-1);
  if (last === undefined) return isPhrase && text.trim() !== '' ? { words, phrase: foldCase(text) } : null;
  if (isLast && !isPhrase && !isExcluded) words[words.length - 1] = { ...last, isPrefix: true };
  return { words, phrase: isPhrase ? foldCase(text) : null };
}

function filterOf(name: string, value: string): FindFilter | null {
  switch (name.toLowerCase()) {
    case 'in': {
      const folder = value
        .normalize('NFC')
        .replace(/^(?:\.?\/)+/u, '')
        .replace(/\/+$/u, '');
      return folder === '' ? null : { kind: 'in', folder };
    }
    case 'by':
      return value.trim() === '' ? null : { kind: 'by', name: foldCase(value.trim()) };
    case 'type': {
      const type = value.replace(/^\./u, '').toLowerCase();
      return /^[a-z0-9]{1,16}$/u.test(type) ? { kind: 'type', type } : null;
    }
    case 'tag': {
      const tag = foldCase(value.replace(/^#/u, '').trim());
      return tag === '' ? null : { kind: 'tag', tag };
    }
    case 'before':
    case 'after': {
      const at = dayOf(value);
      return at === null ? null : { kind: name.toLowerCase() === 'before' ? 'before' : 'after', at };
    }
    case 'is':
      return value.toLowerCase() === 'conflict' ? { kind: 'is', what: 'conflict' } : null;
    default:
      return null;
  }
}

/** The start of a day in UTC, `2026-11-01`; null for anything else. */
function dayOf(value: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/u.test(value)) return null;
  const at = Date.parse(`${value}T00:00:00Z`);
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== value ? null : at;
}
