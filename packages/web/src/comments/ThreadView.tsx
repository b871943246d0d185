import type { CommentEntry, CommentThread, MemberRecord } from '@stoa/contract';
import { useId, useRef, useState } from 'react';
import { fileAddress } from '../api/addresses.ts';
import { client } from '../api/client.ts';
import { whoOf } from '../api/people.ts';
import { comments as texts } from '../text/en/comments.ts';
import { notices } from '../text/en/notices.ts';
import { ui } from '../text/en/ui.ts';
import { AppLink } from '../ui/AppLink.tsx';
import { Button, IconButton } from '../ui/Button.tsx';
import { copyText } from '../ui/copy-text.ts';
import { TextArea } from '../ui/Field.tsx';
import { Icon } from '../ui/Icon.tsx';
import { notify, sayWhyNot } from '../ui/notices.ts';
import { FormAlert } from '../ui/States.tsx';
import { Time } from '../ui/Time.tsx';
import { attempt, useTask } from '../ui/use-task.ts';
import { useKeptText } from './kept-text.ts';
import { quoteStart } from './thread-list.ts';
import { askThreadsAgain } from './use-threads.ts';

/** Number of newest replies shown at once. */
const repliesShown = 4;

export interface ThreadViewProps {
  readonly workspaceId: string;
  readonly thread: CommentThread;
  readonly members: readonly Pick<MemberRecord, 'id' | 'name'>[];
  readonly isActive: boolean;
  /** Why comments cannot be written, or null. Resolving stays possible. */
  readonly readOnlyBecause: string | null;
  onActive(): void;
}

/** One thread: its passage, its comments, and the reply form. */
export function ThreadView({
  workspaceId,
  thread,
  members,
  isActive,
  readOnlyBecause,
  onActive,
}: ThreadViewProps) {
  const { quote, entries, status, path } = thread;
  const [showsAll, setShowsAll] = useState(false);
  const hidden = showsAll ? 0 : Math.max(0, entries.length - repliesShown);
  const isOpen = status === 'open';

  const setResolved = (resolved: boolean): void =>
    attempt(
      (message) => ui.notPossible(resolved ? texts.resolving : texts.reopening, message),
      async () => {
        await client.setResolved(workspaceId, thread.id, resolved);
        askThreadsAgain(workspaceId, path);
        notify({ text: resolved ? texts.threadResolved : texts.threadReopened });
      },
    );

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: focus inside does the same
    <article
      className="comments-thread"
      id={threadElementId(thread.id)}
      tabIndex={-1}
      aria-label={threadName(thread)}
      data-active={isActive ? true : undefined}
      onClick={onActive}
      onFocus={onActive}
    >
      <div className="comments-head">
        {quote === null ? null : (
          <blockquote className="comments-quote" dir="auto">
            {quote}
          </blockquote>
        )}
        <IconButton
          icon={isOpen ? 'check' : 'history'}
          name={isOpen ? texts.resolve : texts.reopen}
          needsServer
          onClick={() => setResolved(isOpen)}
        />
        <IconButton
          icon="link"
          name={texts.copyThreadLink}
          onClick={() =>
            void copyText(
              location.origin + fileAddress(workspaceId, path, { panel: 'comments', thread: thread.id }),
              notices.linkCopied,
            )
          }
        />
      </div>
      <AnchorNote workspaceId={workspaceId} thread={thread} />
      <Said members={members} entry={thread} />
      {hidden === 0 ? null : (
        <Button kind="quiet" onClick={() => setShowsAll(true)}>
          {texts.earlierReplies(hidden)}
        </Button>
      )}
      {entries.length === 0 ? null : (
        // biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of lists without markers
        <ol role="list" aria-label={texts.replies} className="comments-replies">
          {entries.slice(hidden).map((entry) => (
            <li key={entry.id} tabIndex={-1} className="comments-entry">
              <Said members={members} entry={entry} />
            </li>
          ))}
        </ol>
      )}
      <ReplyForm
        workspaceId={workspaceId}
        thread={thread}
        readOnlyBecause={readOnlyBecause}
        onResolve={() => setResolved(true)}
      />
    </article>
  );
}

export function threadName({ quote }: Pick<CommentThread, 'quote'>): string {
  return quote === null ? texts.pointThread : texts.thread(quoteStart(quote));
}

export function threadElementId(threadId: string): string {
  return `thread-${threadId}`;
}

function AnchorNote({
  workspaceId,
  thread,
}: {
  readonly workspaceId: string;
  readonly thread: CommentThread;
}) {
  switch (thread.anchorStatus) {
    case 'anchored':
      return null;
    case 'ambiguous':
      return <p className="comments-note">{texts.severalPlaces}</p>;
    case 'outdated':
      return (
        <p className="comments-note">
          <span>{texts.outdated}</span>
          <AppLink to={fileAddress(workspaceId, thread.path, { panel: 'comments', pinned: thread.id })}>
            {texts.seeVersion(thread.pinnedVersion)}
          </AppLink>
        </p>
      );
  }
}

/** A comment, always shown as plain text. */
function Said({
  members,
  entry,
}: {
  readonly members: ThreadViewProps['members'];
  readonly entry: Pick<
    CommentEntry,
    'body' | 'createdAt' | 'createdBy' | 'principal' | 'actorKeyId' | 'actorLabel'
  >;
}) {
  const who = whoOf({ ...entry, actorId: entry.createdBy }, members);
  return (
    <div className="comments-said">
      <p className="comments-who">
        {who.kind === 'agent' ? <Icon name="agent" size={14} /> : null}
        <bdi>{who.name}</bdi>
        <Time at={entry.createdAt} />
      </p>
      <p className="comments-body" dir="auto">
        {entry.body}
      </p>
    </div>
  );
}

function ReplyForm({
  workspaceId,
  thread,
  readOnlyBecause,
  onResolve,
}: {
  readonly workspaceId: string;
  readonly thread: CommentThread;
  readonly readOnlyBecause: string | null;
  onResolve(): void;
}) {
  const kept = useKeptText(workspaceId, thread.id);
  const body = kept.text;
  /** The reply being sent. With its `dedupeKey`, sending it again creates no second reply. */
  const underWay = useRef<{ readonly dedupeKey: string; readonly body: string } | null>(null);
  const post = async (): Promise<void> => {
    underWay.current ??= { dedupeKey: newKey(), body };
    const { dedupeKey, body: first } = underWay.current;
    const { deduped } = await client.reply(workspaceId, thread.id, { body, dedupeKey });
    underWay.current = null;
    // The first attempt was posted after all, and the text has changed since: post the new text as another reply.
    if (deduped && first !== body) await post();
  };
  const alertId = useId();
  const task = useTask();
  const send = (andResolve: boolean): void =>
    task.run(async () => {
      if (readOnlyBecause !== null) return sayWhyNot(readOnlyBecause);
      if (body.trim() === '') return task.setError(texts.writeFirst);
      await post();
      kept.sent(body);
      askThreadsAgain(workspaceId, thread.path);
      notify({ text: texts.replied });
      if (andResolve) onResolve();
    });
  return (
    <form
      className="comments-reply"
      onSubmit={(event) => {
        event.preventDefault();
        send(false);
      }}
    >
      <FormAlert id={alertId}>{task.error}</FormAlert>
      <TextArea
        label={texts.replyToThread}
        wrongBy={task.error === null ? undefined : alertId}
        value={body}
        rows={body === '' ? 1 : 3}
        dir="auto"
        onChange={(event) => kept.set(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          send(event.shiftKey && thread.status === 'open');
        }}
      />
      <div className="comments-buttons">
        <Button type="submit" needsServer disabledBecause={readOnlyBecause}>
          {texts.reply}
        </Button>
        {thread.status === 'open' ? (
          <Button kind="quiet" needsServer disabledBecause={readOnlyBecause} onClick={() => send(true)}>
            {texts.replyAndResolve}
          </Button>
        ) : null}
      </div>
    </form>
  );
}

/** `randomUUID` is missing over plain http. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
