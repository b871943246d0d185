import type { ReadingNode } from '@stoa/markdown/tree';
import { startTransition, useEffect, useState } from 'react';
import type { FrontMatter } from './front-matter.ts';
import type { FromWorker } from './parse-messages.ts';
import { parseMarkdown } from './parser.ts';

/** The parsed parts of a Markdown text so far. */
export interface Parsed {
  /** The text that was parsed. While a newer one is being parsed, the previous one. */
  readonly source: string;
  readonly frontMatter: FrontMatter | null;
  readonly parts: readonly (readonly ReadingNode[])[];
  readonly tail: readonly ReadingNode[];
  readonly footnotes: readonly ReadingNode[];
  readonly isComplete: boolean;
}

export type ParseState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'parsed'; readonly parsed: Parsed }
  /** Too slow: the source is shown instead. */
  | { readonly kind: 'gave_up' };

/** Parses a Markdown text incrementally. An older text stays visible until the newer one is available. */
export function useParsed(source: string): ParseState {
  const [state, setState] = useState<ParseState>({ kind: 'waiting' });
  useEffect(() => {
    let parsed = nothingYet(source);
    let isShown = false;
    return parseMarkdown(source, {
      heard: (message) => {
        parsed = afterMessage(parsed, message);
        if (parsed.parts.length === 0 && parsed.tail.length === 0 && !parsed.isComplete) return;
        const show = (): void => setState((before) => shownOf(before, parsed));
        // The first screen renders at once; later parts render as transitions, so that the page stays responsive.
        if (isShown) startTransition(show);
        else show();
        isShown = true;
      },
      gaveUp: () => setState({ kind: 'gave_up' }),
    });
  }, [source]);
  return state;
}

function nothingYet(source: string): Parsed {
  return { source, frontMatter: null, parts: [], tail: [], footnotes: [], isComplete: false };
}

function afterMessage(parsed: Parsed, message: FromWorker): Parsed {
  switch (message.kind) {
    case 'front_matter':
      return { ...parsed, frontMatter: message.frontMatter };
    case 'done':
      return { ...parsed, tail: [], isComplete: true };
    case 'date_changed':
      return parsed;
    case 'part':
      break;
  }
  const { part } = message;
  switch (part.kind) {
    case 'tail':
      return { ...parsed, tail: part.blocks };
    case 'footnotes':
      return { ...parsed, footnotes: part.blocks };
    case 'blocks':
      return part.part < parsed.parts.length
        ? { ...parsed, parts: parsed.parts.with(part.part, part.blocks) }
        : { ...parsed, parts: [...parsed.parts, part.blocks], tail: [] };
  }
}

/** When a long text changes, keeps the old parts visible until as many new parts are parsed. */
function shownOf(before: ParseState, parsed: Parsed): ParseState {
  if (before.kind !== 'parsed' || before.parsed.source === parsed.source || parsed.isComplete)
    return { kind: 'parsed', parsed };
  return before.parsed.parts.length > parsed.parts.length && before.parsed.isComplete
    ? before
    : { kind: 'parsed', parsed };
}
