import type { RefObject } from 'react';
import { AddCommentButton } from '../comments/AddCommentButton.tsx';
import type { SelectedMatch } from '../comments/NewComment.tsx';
import { blocksOf } from '../reading/MarkdownView.tsx';
import { quoteOf, type SourceRange, selectedSource } from '../reading/quote-selection.ts';
import { shownSelection } from '../reading/shown-selection.ts';
import type { Parsed } from '../reading/use-parsed.ts';

/** The button to comment on a selection in the rendered text. */
export function AddComment({
  article,
  parsed,
  version,
  onAdd,
}: {
  readonly article: RefObject<HTMLElement | null>;
  readonly parsed: Parsed;
  /** The version of the parsed text. */
  readonly version: number;
  onAdd(location: SelectedMatch): void;
}) {
  const add = (): void => {
    const shown = article.current === null ? null : shownSelection(article.current, getSelection());
    const range = shown === null ? null : selectedSource(blocksOf(parsed), shown.from, shown.to);
    if (range !== null) onAdd(selectedLocation(parsed.source, range, version));
  };
  return <AddCommentButton text={article} onAdd={add} />;
}

/** The passage of a new thread for a range of a text. */
export function selectedLocation(source: string, range: SourceRange, baseVersion: number): SelectedMatch {
  const quoted = quoteOf(source, range);
  return quoted.kind === 'too_large' ? quoted : { ...quoted, source, range, baseVersion };
}
