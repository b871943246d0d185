import { frontMatterBlock } from '@stoa/core';
import { isMap, isScalar, isSeq, parseDocument } from 'yaml';
import type { ReadingText } from './tree.ts';

/** `rows` for a map, each with its key; `raw` for what is no valid YAML or no map. */
export type FrontMatter =
  | { readonly kind: 'rows'; readonly rows: readonly FrontMatterRow[] }
  | { readonly kind: 'raw'; readonly text: ReadingText };

export interface FrontMatterRow {
  readonly key: ReadingText;
  /** One, or several of a list. */
  readonly values: readonly ReadingText[];
}

/** What a file's front matter says, as text with its place in the source; null without one. Aliases are not followed. */
export function readFrontMatter(source: string): FrontMatter | null {
  const block = frontMatterBlock(source);
  if (block === null) return null;
  const { contentStart, contentEnd } = block;
  const content = source.slice(contentStart, contentEnd);
  const raw: FrontMatter = { kind: 'raw', text: verbatim(content.trimEnd(), contentStart) };
  const document = parseDocument(content, { schema: 'core', logLevel: 'silent', prettyErrors: false });
  if (document.errors.length > 0 || !isMap(document.contents)) return raw;

  const place = (node: unknown): ReadingText => {
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return { text: '', pieces: [] };
    const [start, end] = node.range ?? [0, 0];
    const written = content.slice(start, end).trimEnd();
    if (!isScalar(node) || typeof node.value !== 'string') return verbatim(written, contentStart + start);
    const within = written.indexOf(node.value);
    return within === -1
      ? {
          text: node.value,
          pieces: [node.value.length, contentStart + start, contentStart + start + written.length],
        }
      : verbatim(node.value, contentStart + start + within);
  };
  const rows = document.contents.items.map(
    ({ key, value }): FrontMatterRow => ({
      key: place(key),
      values: isSeq(value) && value.items.every(isScalar) ? value.items.map(place) : [place(value)],
    }),
  );
  return { kind: 'rows', rows };
}

function verbatim(text: string, start: number): ReadingText {
  return { text, pieces: text === '' ? [] : [text.length, start, start + text.length] };
}
