import type { ReadingNode } from '@stoa/markdown/tree';
import { type RefObject, useContext, useEffect } from 'react';
import { SoughtHere } from '../ui/sought-here.ts';
import type { CsvRows } from './read-csv.ts';
import type { Parsed } from './use-parsed.ts';

/** The text of a field, the rows of a table, or a Markdown text as far as it is parsed. */
export type FoundIn = string | CsvRows | { readonly parsed: Parsed; readonly blocks: readonly ReadingNode[] };

/**
 * Marks in a rendered text what the address names, and scrolls to it.
 * @param content a new value marks it again; null while it is not rendered
 * @param notShown called if the view does not show the line
 */
export function useFound(
  element: RefObject<HTMLElement | null>,
  content: FoundIn | null,
  notShown?: () => void,
): void {
  const sought = useContext(SoughtHere);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the callback does the same after each rendering
  useEffect(() => {
    if (sought === null || content === null) return;
    const ended = new AbortController();
    // Loaded on demand. Without it the text is shown without a mark.
    import('./mark-found.ts').then(
      ({ markFound }) => markFound(element.current, content, { sought, notShown, signal: ended.signal }),
      () => undefined,
    );
    return () => ended.abort();
  }, [sought, content, element]);
}
