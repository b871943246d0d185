import { startTransition, useEffect, useState } from 'react';
import type { FrontMatter } from './markdown/front-matter.ts';
import type { ReadingNode } from './markdown/tree.ts';
import type { FromWorker } from './parse-messages.ts';
import { parseMarkdown } from './parser.ts';

/** What is known so far of a markdown text. */
export interface Parsed {
  /** The text that this is of: while a newer one is being parsed, the one before. */
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

/** A markdown text as it is parsed. What was shown of an older text stays until the newer one is there. */
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
        // The first screen at once; what is below it in pieces, between which the page answers.
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

/** Of a long text that changed, the old rest stays below the new beginning until the new one has reached it. */
function shownOf(before: ParseState, parsed: Parsed): ParseState {
  if (before.kind !== 'parsed' || before.parsed.source === parsed.source || parsed.isComplete)
    return { kind: 'parsed', parsed };
  return before.parsed.parts.length > parsed.parts.length && before.parsed.isComplete
    ? before
    : { kind: 'parsed', parsed };
}
