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
  lineWriters,
  rangesOfMatches,
  shiftWriters,
  unsaved,
  type Writer,
  writerRanges,
} from '../writers/line-writers.ts';
import { showsWriters } from '../writers/shows-writers.ts';
import { WriterList, type WriterNames, WritersNote } from '../writers/WriterLine.tsx';
import { type BlameResponse, useBlame } from './use-blame.ts';

export type Comparison = (block: number) => ReactNode;

/** Ranges of the shown text with notes next to them. The first number is `first`. */
export interface PlacedBlocks {
  readonly first: number;
  readonly ranges: readonly { readonly start: number; readonly end: number }[];
}

export interface TextWritersProps {
  readonly workspaceId: string;
  readonly path: string;
  /** The server's text, as last known. */
  readonly saved: { readonly text: string; readonly version: number };
  /** The shown text: edited locally, or an older one while the newer is being parsed. */
  readonly shown: string;
  /** Whether differences from the saved text were typed here. */
  readonly isTyped: boolean;
  /** Null where the lines are shown as a list. */
  readonly blocks: PlacedBlocks | null;
  /** Receives the note renderer for the blocks, or null. */
  onBeside?(alongside: Comparison | null): void;
}

/** Line authors of a text: notes for its blocks, or a list. Follows new versions. */
export function TextWriters(props: TextWritersProps) {
  const { workspaceId, path, blocks, onBeside: onAlongside } = props;
  const blame = useBlame(workspaceId, path);
  const names = useWriterNames(workspaceId, path);
  const writers = useWriters(props, blame.data);
  const alongside = useMemo<Comparison | null>(() => {
    if (writers === null || blocks === null) return null;
    const { first, ranges: locations } = blocks;
    const notes = rangesOfMatches(props.shown, writers, locations);
    return (block) => {
      const ranges = notes.get(block - first);
      return ranges === undefined ? null : <WritersNote ranges={ranges} names={names} />;
    };
  }, [writers, blocks, props.shown, names]);

  const report = useRef(onAlongside);
  report.current = onAlongside;
  useEffect(() => report.current?.(alongside), [alongside]);
  useEffect(() => () => report.current?.(null), []);

  return (
    <WritersSection blame={blame} isSettled={writers !== null && !writers.includes(arrived)}>
      {blocks !== null || writers === null ? null : (
        <WriterList ranges={writerRanges(writers)} names={names} />
      )}
    </WritersSection>
  );
}

/** The section with the line authors and the button to hide them. */
function WritersSection({
  blame,
  isSettled,
  children,
}: {
  readonly blame: ReturnType<typeof useBlame>;
  /** Whether every line not typed here has its author. */
  readonly isSettled: boolean;
  readonly children?: ReactNode;
}) {
  const { data, error } = blame;
  const isRejected = error !== null && 'status' in error && error.status === 400;
  const isCut = data?.lines.some(({ orEarlier }) => orEarlier === true) === true;
  return (
    <section className="writers" aria-label={texts.title}>
      {data === undefined && error !== null && !isRejected ? (
        <LoadFailure what={texts.what} error={error} onRetry={() => void blame.refetch()} />
      ) : (
        <span role="status">
          {isRejected
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

/** The author of each shown line; null until a response matches a known text. */
function useWriters(
  { saved, shown, isTyped }: TextWritersProps,
  blame: BlameResponse | undefined,
): readonly Writer[] | null {
  const responded = useMemo(
    () =>
      blame === undefined || blame.version !== saved.version ? null : lineWriters(blame.lines, saved.text),
    [blame, saved.version, saved.text],
  );
  // Until the response for a newer version arrives, unchanged lines keep their authors.
  const settled = useRef<{ readonly text: string; readonly writers: readonly Writer[] } | null>(null);
  if (responded !== null) settled.current = { text: saved.text, writers: responded };
  const known = settled.current;
  return useMemo(() => {
    if (known === null) return null;
    const now = shiftWriters(known.text, known.writers, saved.text, arrived);
    return shiftWriters(saved.text, now, shown, isTyped ? unsaved : arrived);
  }, [known, saved.text, shown, isTyped]);
}

/** Looks versions up in the file's history: after a move or a restore, a number alone is ambiguous. */
function useWriterNames(workspaceId: string, path: string): WriterNames {
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
