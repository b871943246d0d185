import type { CommentThread } from '@stoa/contract';
import { useEffect, useRef, useState } from 'react';
import { useMembers } from '../api/use-workspace.ts';
import { comments as texts } from '../text/en/comments.ts';
import { useCommands } from '../ui/commands.ts';
import { Select } from '../ui/Field.tsx';
import { Panel } from '../ui/Panel.tsx';
import { EmptyState, LoadFailure, LoadingLines } from '../ui/States.tsx';
import { Tabs } from '../ui/Tabs.tsx';
import { NewComment, type QuotedMatch, type SelectedMatch } from './NewComment.tsx';
import { ThreadView, threadElementId, threadName } from './ThreadView.tsx';
import { shownThreads, type ThreadFilter, type ThreadOrder } from './thread-list.ts';
import { askThreadsAgain } from './use-threads.ts';
import './comments.css';

export interface CommentsPanelProps {
  readonly workspaceId: string;
  readonly path: string;
  /** Undefined while loading. */
  readonly threads: readonly CommentThread[] | undefined;
  readonly error: Error | null;
  readonly isMarkdown: boolean;
  readonly readOnlyBecause: string | null;
  /** The selected passage for a new thread. */
  readonly selected: SelectedMatch | null;
  readonly activeThread: string | null;
  settle(match: QuotedMatch): Promise<QuotedMatch | null>;
  onActiveThread(threadId: string | null): void;
  onPlaceDone(): void;
  onClose(): void;
}

const orders = [
  { value: 'text', label: texts.inTheText },
  { value: 'newest', label: texts.newestFirst },
] as const satisfies readonly { readonly value: ThreadOrder; readonly label: string }[];
const filters = [
  { value: 'all', label: texts.all },
  { value: 'people', label: texts.byPeople },
  { value: 'agents', label: texts.byAgents },
  { value: 'outdated', label: texts.outdatedOnly },
] as const satisfies readonly { readonly value: ThreadFilter; readonly label: string }[];

/** The threads of a file. */
export function CommentsPanel(props: CommentsPanelProps) {
  const { workspaceId, path, threads, error, isMarkdown, selected: match } = props;
  return (
    <Panel name={texts.title} onClose={props.onClose}>
      <div className="comments">
        {match === null ? null : (
          <NewComment
            workspaceId={workspaceId}
            path={path}
            selected={match}
            readOnlyBecause={props.readOnlyBecause}
            settle={props.settle}
            onPosted={(threadId) => {
              props.onPlaceDone();
              props.onActiveThread(threadId);
            }}
            onCancel={props.onPlaceDone}
          />
        )}
        {!isMarkdown ? (
          <EmptyState icon="comments" text={texts.notMarkdown} />
        ) : threads !== undefined ? (
          <Threads {...props} threads={threads} />
        ) : error !== null ? (
          <LoadFailure what={texts.what} error={error} onRetry={() => askThreadsAgain(workspaceId, path)} />
        ) : (
          <LoadingLines rows={4} rowHeight={56} />
        )}
      </div>
    </Panel>
  );
}

function Threads({
  workspaceId,
  threads,
  activeThread,
  onActiveThread,
  readOnlyBecause,
  selected: match,
}: CommentsPanelProps & { readonly threads: readonly CommentThread[] }) {
  const members = useMembers(workspaceId).data ?? [];
  const [chosen, setStatus] = useState<CommentThread['status']>('open');
  const [order, setOrder] = useState<ThreadOrder>('text');
  const [show, setShow] = useState<ThreadFilter>('all');
  const active = threads.find(({ id }) => id === activeThread);
  const [seen, setSeen] = useState<string | null>(null);
  const status = active !== undefined && active.id !== seen ? active.status : chosen;
  const shown = shownThreads(threads, { status, order, show });
  const counts = (wanted: CommentThread['status']): number =>
    threads.filter((thread) => thread.status === wanted).length;

  const pressed = useRef<string | null>(null);
  const activeId = active?.id ?? null;
  const activeStatus = active?.status ?? 'open';
  // Only `activeId` selects the tab, not later changes of the thread's state.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (activeId === null) return;
    setStatus(activeStatus);
    setSeen(activeId);
    // A pressed thread must not move under the pointer.
    if (pressed.current !== activeId) {
      document.getElementById(threadElementId(activeId))?.scrollIntoView({ block: 'nearest' });
    }
  }, [activeId]);

  /** The focused thread: the address follows the focus with a delay. */
  const threadAt = (): string | null => {
    const focused = document.activeElement;
    const within = shown.find(({ id }) => document.getElementById(threadElementId(id))?.contains(focused));
    return within?.id ?? activeThread;
  };
  const walk = (step: 1 | -1): void => {
    const from = threadAt();
    const at = shown.findIndex(({ id }) => id === from);
    const next = shown[at === -1 ? (step === 1 ? 0 : shown.length - 1) : at + step];
    if (next === undefined) return;
    onActiveThread(next.id);
    document.getElementById(threadElementId(next.id))?.focus();
  };
  useCommands([
    { id: 'comments.next', words: texts.nextThread, keys: ['j'], run: () => walk(1) },
    { id: 'comments.previous', words: texts.previousThread, keys: ['k'], run: () => walk(-1) },
    {
      id: 'comments.reply',
      words: texts.reply,
      keys: ['r'],
      run: () => {
        const id = threadAt() ?? shown[0]?.id;
        if (id !== undefined)
          document.getElementById(threadElementId(id))?.querySelector('textarea')?.focus();
      },
    },
  ]);

  const noneOfState = status === 'open' ? texts.noneOpen : texts.noneResolved;
  const noneShown = show === 'all' ? noneOfState : texts.noneOfThese;
  const content = (
    <>
      <div className="comments-options">
        <Select
          label={texts.order}
          options={orders}
          value={order}
          onChange={(value) => setOrder(orders.find((each) => each.value === value)?.value ?? 'text')}
        />
        <Select
          label={texts.show}
          options={filters}
          value={show}
          onChange={(value) => setShow(filters.find((each) => each.value === value)?.value ?? 'all')}
        />
      </div>
      {threads.length === 0 && match === null ? <EmptyState icon="comments" text={texts.empty} /> : null}
      {threads.length > 0 && shown.length === 0 ? <p className="comments-none">{noneShown}</p> : null}
      {/* biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of lists without markers */}
      <ul role="list" aria-label={texts.threads} className="comments-threads">
        {shown.map((thread) => (
          <li key={thread.id} aria-label={threadName(thread)}>
            <ThreadView
              workspaceId={workspaceId}
              thread={thread}
              members={members}
              isActive={thread.id === activeThread}
              readOnlyBecause={readOnlyBecause}
              onActive={() => {
                if (thread.id === activeThread) return;
                pressed.current = thread.id;
                onActiveThread(thread.id);
              }}
            />
          </li>
        ))}
      </ul>
    </>
  );
  return (
    <Tabs
      label={texts.sections}
      value={status}
      onChange={(value) => {
        setStatus(value);
        setSeen(activeThread);
      }}
      tabs={[
        { value: 'open', label: texts.open(counts('open')), content: status === 'open' ? content : null },
        {
          value: 'resolved',
          label: texts.resolved(counts('resolved')),
          content: status === 'resolved' ? content : null,
        },
      ]}
    />
  );
}
