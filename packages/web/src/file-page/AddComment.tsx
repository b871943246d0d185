import { type RefObject, useEffect, useState } from 'react';
import type { SelectedPlace } from '../comments/NewComment.tsx';
import { blocksOf } from '../reading/MarkdownView.tsx';
import { quoteOf, selectedSource } from '../reading/quote-selection.ts';
import { shownSelection } from '../reading/shown-selection.ts';
import type { Parsed } from '../reading/use-parsed.ts';
import { comments as texts } from '../text/en/comments.ts';
import { Button } from '../ui/Button.tsx';
import { useCommands } from '../ui/commands.ts';

/** Kept free below the button, in pixels. */
const gap = 8;

/** Beside a selection of the text: the way to comment on it. */
export function AddComment({
  article,
  parsed,
  version,
  onAdd,
}: {
  readonly article: RefObject<HTMLElement | null>;
  readonly parsed: Parsed;
  /** Of which the parsed text is. */
  readonly version: number;
  onAdd(place: SelectedPlace): void;
}) {
  const [at, setAt] = useState<{ readonly x: number; readonly y: number } | null>(null);

  useEffect(() => {
    let frame = 0;
    const look = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setAt(placeOfButton(article.current)));
    };
    document.addEventListener('selectionchange', look);
    document.addEventListener('scroll', look, { capture: true, passive: true });
    window.addEventListener('resize', look);
    return () => {
      cancelAnimationFrame(frame);
      document.removeEventListener('selectionchange', look);
      document.removeEventListener('scroll', look, { capture: true });
      window.removeEventListener('resize', look);
    };
  }, [article]);

  const add = (): void => {
    const place = article.current === null ? null : selectedPlace(article.current, parsed, version);
    if (place !== null) onAdd(place);
  };
  useCommands([
    {
      id: 'comments.add',
      words: texts.add,
      keys: ['Mod+Alt+M'],
      when: () => placeOfButton(article.current) !== null,
      run: add,
    },
  ]);

  if (at === null) return null;
  return (
    <Button
      className="comments-add"
      icon="comments"
      style={{ insetInlineStart: at.x, insetBlockStart: at.y }}
      // The selection stays while the button is pressed.
      onPointerDown={(event) => event.preventDefault()}
      onClick={add}
    >
      {texts.add}
    </Button>
  );
}

function selectedPlace(article: HTMLElement, parsed: Parsed, version: number): SelectedPlace | null {
  const shown = shownSelection(article, getSelection());
  const range = shown === null ? null : selectedSource(blocksOf(parsed), shown.from, shown.to);
  if (range === null) return null;
  const { source } = parsed;
  const quoted = quoteOf(source, range);
  return quoted.kind === 'too_large' ? quoted : { ...quoted, source, baseVersion: version };
}

/** Below the end of the selection, within the window. */
function placeOfButton(article: HTMLElement | null): { readonly x: number; readonly y: number } | null {
  const selection = getSelection();
  if (article === null || selection === null || selection.isCollapsed || selection.rangeCount === 0)
    return null;
  const range = selection.getRangeAt(0);
  if (!range.intersectsNode(article) || selection.toString().trim() === '') return null;
  const boxes = range.getClientRects();
  const last = boxes[boxes.length - 1];
  if (last === undefined) return null;
  return {
    x: Math.max(gap, Math.min(last.right, innerWidth - 160)),
    y: Math.max(gap, Math.min(last.bottom + gap, innerHeight - 56)),
  };
}
