import { type FindQuery, findQueryMaxCharacters, parseFindQuery } from '@stoa/core';

/** A filter of a query, as the user typed it. */
export interface TypedFilter {
  /** `type:md`. */
  readonly text: string;
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

/** Items of a query, as the parser splits it: text in quotes, or text without spaces. */
const items = /-?(?:[a-z]+:)?"[^"]*"(?=\s|$)|\S+/giu;
const offered = ['type:md', 'type:image', 'by:people', 'by:agents', 'is:conflict'];

/** Returns null for a query that the server would reject: empty, or too long. */
export function parsedQuery(query: string): FindQuery | null {
  try {
    return parseFindQuery(query);
  } catch {
    return null;
  }
}

/** The filters that the parser recognises, in their order. */
export function filtersIn(query: string): readonly TypedFilter[] {
  return [...query.matchAll(items)].flatMap(({ 0: text, index }) => {
    const filter = parsedQuery(text)?.filters[0];
    return filter === undefined ? [] : [{ text, kind: filter.kind, start: index, end: index + text.length }];
  });
}

export function withoutFilter(query: string, { start, end }: TypedFilter): string {
  return `${query.slice(0, start).trimEnd()} ${query.slice(end).trimStart()}`.trim();
}

/** Adds a filter. The user can continue typing after it. */
export function withFilter(query: string, filter: string): string {
  return `${query.trim()} ${filter} `.trimStart();
}

/** The words and phrases of a query, which the lines of a text may have. */
export function wordsOnly(query: string): string {
  const trimmed = query.trim();
  return filtersIn(trimmed).toReversed().reduce(withoutFilter, trimmed);
}

/** Filters to suggest: none of a kind that the query has. */
export function filtersToAdd(query: string, folder: string): readonly string[] {
  const kinds = new Set(filtersIn(query).map(({ kind }) => kind));
  const within = /\s/.test(folder) ? `in:"${folder}/"` : `in:${folder}/`;
  return [...(folder === '' ? [] : [within]), ...offered].filter((filter) => {
    const [typed] = filtersIn(filter);
    const isUsable = typed?.text === filter && !kinds.has(typed.kind);
    return isUsable && withFilter(query, filter).length <= findQueryMaxCharacters;
  });
}
