import { useId, useRef, useState } from 'react';
import { client } from '../api/client.ts';
import { comments as texts } from '../text/en/comments.ts';
import { ui } from '../text/en/ui.ts';
import { Button } from '../ui/Button.tsx';
import { RadioGroup } from '../ui/Choice.tsx';
import { TextArea } from '../ui/Field.tsx';
import { notify, sayWhyNot } from '../ui/notices.ts';
import { FormAlert } from '../ui/States.tsx';
import { useTask } from '../ui/use-task.ts';
import { useKeptText } from './kept-text.ts';
import { occurrenceOfMatch } from './thread-list.ts';
import { askThreadsAgain } from './use-threads.ts';

/** A quote, as sent to the server. */
export interface QuotedMatch {
  readonly kind: 'quote';
  /** The text in which the quote was selected. */
  readonly source: string;
  /** The range in `source`, in UTF-16 units. */
  readonly range: { readonly start: number; readonly end: number };
  readonly baseVersion: number;
  readonly quote: string;
  readonly contextBefore: string;
  readonly contextAfter: string;
  readonly occurrence: number;
}

/** The selected passage for a new thread. */
export type SelectedMatch = QuotedMatch | { readonly kind: 'too_large' };

interface Ambiguous {
  readonly occurrences: number;
  readonly matches: readonly { readonly line: number; readonly excerpt: string }[];
}

export interface NewCommentProps {
  readonly workspaceId: string;
  readonly path: string;
  readonly selected: SelectedMatch;
  /** Why nothing can be written, or null. */
  readonly readOnlyBecause: string | null;
  /**
   * Saves the text first, then returns the passage in the saved text; null if it no longer exists.
   * @throws an error with a message for the user, when the text cannot be saved now
   */
  settle(match: QuotedMatch): Promise<QuotedMatch | null>;
  onPosted(threadId: string): void;
  onCancel(): void;
}

/** The form for a new thread. Its text is kept until it is posted or deleted. */
export function NewComment({
  workspaceId,
  path,
  selected,
  readOnlyBecause,
  settle,
  onPosted,
  onCancel,
}: NewCommentProps) {
  const kept = useKeptText(workspaceId, path);
  const body = kept.text;
  const [ambiguous, setAmbiguous] = useState<Ambiguous | null>(null);
  const [chosen, setChosen] = useState('');
  const alertId = useId();
  const task = useTask();
  const form = useRef<HTMLFormElement>(null);
  // The form takes the focus when it opens and returns it when it closes.
  const [focusedBefore] = useState(() => document.activeElement);
  const giveFocusBack = (): void => {
    const { activeElement } = document;
    // Do not steal the focus if the user has moved on, nor put it behind a sheet.
    const isHere = activeElement === document.body || form.current?.contains(activeElement) === true;
    if (!isHere || !(focusedBefore instanceof HTMLElement)) return;
    if (focusedBefore.closest('[aria-hidden="true"]') === null) focusedBefore.focus();
  };

  async function post(): Promise<void> {
    if (selected.kind === 'too_large') return;
    if (body.trim() === '') return task.setError(texts.writeFirst);
    const match = await settle(selected);
    if (match === null) return task.setError(texts.changed);
    const { source, quote, contextBefore, contextAfter, baseVersion } = match;
    const occurrence =
      ambiguous === null
        ? match.occurrence
        : occurrenceOfMatch(source, quote, ambiguous.matches, Number.parseInt(chosen, 10));
    if (occurrence === null) return task.setError(texts.chooseFirst);
    const contexts = ambiguous === null ? { contextBefore, contextAfter } : {};
    const outcome = await client.startThread(workspaceId, {
      path,
      body,
      kind: 'range',
      quote,
      ...contexts,
      occurrence,
      baseVersion,
    });
    switch (outcome.kind) {
      case 'created':
        kept.sent(body);
        askThreadsAgain(workspaceId, path);
        notify({ text: texts.posted });
        giveFocusBack();
        return onPosted(outcome.thread.id);
      case 'ambiguous':
        return setAmbiguous(outcome);
      case 'not_found':
        return task.setError(texts.notFound);
      case 'base_version_conflict':
        return task.setError(texts.changed);
    }
  }

  const cannot = selected.kind === 'too_large' ? texts.tooLarge : readOnlyBecause;
  const send = (): void => (cannot === null ? task.run(post) : sayWhyNot(cannot));
  const cancel = (): void => {
    giveFocusBack();
    onCancel();
  };
  return (
    <form
      ref={form}
      className="comments-new"
      aria-label={texts.newComment}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {selected.kind === 'too_large' ? (
        <FormAlert id={alertId}>{texts.tooLarge}</FormAlert>
      ) : (
        <blockquote className="comments-quote" dir="auto">
          {selected.quote}
        </blockquote>
      )}
      {ambiguous === null ? null : (
        <>
          <p role="alert">{texts.ambiguous(ambiguous.occurrences)}</p>
          <RadioGroup
            label={texts.place}
            options={ambiguous.matches.map(({ line, excerpt }, index) => ({
              value: String(index),
              label: texts.line(line, excerpt),
            }))}
            value={chosen}
            onChange={setChosen}
          />
        </>
      )}
      <FormAlert id={alertId}>{task.error}</FormAlert>
      <TextArea
        label={texts.comment}
        value={body}
        wrongBy={selected.kind === 'too_large' || task.error !== null ? alertId : undefined}
        rows={3}
        dir="auto"
        autoFocus
        onChange={(event) => kept.set(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !event.nativeEvent.isComposing) {
            event.preventDefault();
            return cancel();
          }
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          send();
        }}
      />
      <div className="comments-buttons">
        <Button type="submit" kind="primary" needsServer disabledBecause={cannot}>
          {texts.post}
        </Button>
        <Button onClick={cancel}>{ui.cancel}</Button>
      </div>
    </form>
  );
}
