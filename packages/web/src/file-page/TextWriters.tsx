import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { fileAddress } from '../api/addresses.ts';
import { whoOf } from '../api/people.ts';
import { useMembers } from '../api/use-workspace.ts';
import { useVersions } from '../history/use-versions.ts';
import { versionParameter } from '../history/version-parameter.ts';
import { writers as texts } from '../text/en/writers.ts';
import { Button } from '../ui/Button.tsx';
import { LoadFailure } from '../ui/States.tsx';
import {
  arrived,
  carryWriters,
  lineWriters,
  rangesOfPlaces,
  unsaved,
  type Writer,
  writerRanges,
} from '../writers/line-writers.ts';
import { showsWriters } from '../writers/shows-writers.ts';
import { WriterList, type WriterNames, WritersNote } from '../writers/WriterLine.tsx';
import { type BlameAnswer, useBlame } from './use-blame.ts';

export type Beside = (block: number) => ReactNode;

/** Places of the shown text that get notes beside them, by the number that a note is asked by. */
export interface PlacedBlocks {
  readonly first: number;
  readonly places: readonly { readonly start: number; readonly end: number }[];
}

export interface TextWritersProps {
  readonly workspaceId: string;
  readonly path: string;
  /** What the server has, as far as is known here. */
  readonly saved: { readonly text: string; readonly version: number };
  /** As it is shown: typed here, or the text before while a newer one is laid out. */
  readonly shown: string;
  /** Whether what differs from the saved text was typed here. */
  readonly isTyped: boolean;
  /** Null where the lines are listed instead. */
  readonly blocks: PlacedBlocks | null;
  /** What stands beside each block; null where nothing does. */
  onBeside?(beside: Beside | null): void;
}

/** Who wrote which lines of a text: notes for its blocks, or a list. Follows new versions. */
export function TextWriters(props: TextWritersProps) {
  const { workspaceId, path, blocks, onBeside } = props;
  const blame = useBlame(workspaceId, path);
  const names = useWriterNames(workspaceId, path);
  const writers = useWriters(props, blame.data);
  const beside = useMemo<Beside | null>(() => {
    if (writers === null || blocks === null) return null;
    const { first, places } = blocks;
    const notes = rangesOfPlaces(props.shown, writers, places);
    return (block) => {
      const ranges = notes.get(block - first);
      return ranges === undefined ? null : <WritersNote ranges={ranges} names={names} />;
    };
  }, [writers, blocks, props.shown, names]);

  const tell = useRef(onBeside);
  tell.current = onBeside;
  useEffect(() => tell.current?.(beside), [beside]);
  useEffect(() => () => tell.current?.(null), []);

  return (
    <WritersSection blame={blame} isSettled={writers !== null && !writers.includes(arrived)}>
      {blocks !== null || writers === null ? null : (
        <WriterList ranges={writerRanges(writers)} names={names} />
      )}
    </WritersSection>
  );
}

/** What is known of who wrote what, with the way to hide it. */
export function WritersSection({
  blame,
  isSettled,
  children,
}: {
  readonly blame: ReturnType<typeof useBlame>;
  /** Whether all lines that are not typed here have their writers. */
  readonly isSettled: boolean;
  readonly children?: ReactNode;
}) {
  const { data, error } = blame;
  const isRefused = error !== null && 'status' in error && error.status === 400;
  const isCut = data?.lines.some(({ orEarlier }) => orEarlier === true) === true;
  return (
    <section className="writers" aria-label={texts.title}>
      {data === undefined && error !== null && !isRefused ? (
        <LoadFailure what={texts.what} error={error} onRetry={() => void blame.refetch()} />
      ) : (
        <span role="status">
          {isRefused
            ? error.message
            : data === undefined
              ? texts.loading
              : !isSettled
                ? texts.lookedUp
                : isCut
                  ? texts.cut
                  : texts.title}
        </span>
      )}
      <Button kind="quiet" onClick={() => showsWriters.set(false)}>
        {texts.hide}
      </Button>
      {children}
    </section>
  );
}

/** The writer of each line that is shown; null until an answer is about a text that was seen here. */
function useWriters(
  { saved, shown, isTyped }: TextWritersProps,
  blame: BlameAnswer | undefined,
): readonly Writer[] | null {
  const answered = useMemo(
    () =>
      blame === undefined || blame.version !== saved.version ? null : lineWriters(blame.lines, saved.text),
    [blame, saved.version, saved.text],
  );
  // Until the answer about a newer version is there, what is known of the one before counts for the lines that stayed.
  const settled = useRef<{ readonly text: string; readonly writers: readonly Writer[] } | null>(null);
  if (answered !== null) settled.current = { text: saved.text, writers: answered };
  const known = settled.current;
  return useMemo(() => {
    if (known === null) return null;
    const now = carryWriters(known.text, known.writers, saved.text, arrived);
    return carryWriters(saved.text, now, shown, isTyped ? unsaved : arrived);
  }, [known, saved.text, shown, isTyped]);
}

/** Versions are found in the file's history: a number alone names another one after a move or a restored file. */
export function useWriterNames(workspaceId: string, path: string): WriterNames {
  const members = useMembers(workspaceId).data;
  const versions = useVersions(workspaceId, path).data;
  return useMemo(
    () => ({
      who: (actor) => whoOf(actor, members ?? []),
      addressOf: ({ version, createdAt }) => {
        const found = versions?.find((one) => one.version === version && one.createdAt === createdAt);
        return found === undefined ? null : fileAddress(workspaceId, path, { v: versionParameter(found) });
      },
    }),
    [workspaceId, path, members, versions],
  );
}
