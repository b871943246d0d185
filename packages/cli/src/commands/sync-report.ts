import { isSkippedByDesign, listedMax } from '@stoa/core';
import type { PassOutcome } from '../engine/run-pass.ts';
import { type ExitCode, exitCodes, gravest } from '../output/exit-codes.ts';
import { counted, shownTime } from '../output/human.ts';
import type { Output } from '../output/output.ts';
import { shownText } from '../output/shown-text.ts';
import { skippedNext, skippedSummary, skippedWords } from './skipped-words.ts';

/** Result of a pass, as printed by `--json` and as sent between two `stoa` processes. */
export interface SyncReport {
  readonly cursor: number;
  readonly head: number;
  readonly up: number;
  readonly down: number;
  readonly moved: number;
  readonly deletedHere: number;
  readonly deletedThere: number;
  readonly rescued: number;
  readonly conflicts: readonly { readonly path: string; readonly copy: string }[];
  readonly leftOut: readonly {
    readonly path: string;
    readonly reason: string;
    readonly detail: string | null;
  }[];
  readonly holds: readonly {
    readonly id: string;
    readonly kind: string;
    readonly count: number;
    readonly sample: readonly string[];
  }[];
  readonly bytesUp: number;
  readonly bytesDown: number;
  readonly ms: number;
  readonly inSync: boolean;
  /** Lists end at a thousand. */
  readonly truncated: boolean;
}

const sampleSize = 10;

export function reportOf(outcome: PassOutcome): SyncReport {
  const { cursor, head, up, down, moved, deletedHere, deletedThere, rescued, bytesUp, bytesDown, ms } =
    outcome;
  // Omits ignored and frozen paths, which are skipped as configured.
  const skipped = outcome.skipped.filter(({ reason }) => reason !== 'ignored' && reason !== 'frozen');
  return {
    cursor,
    head,
    up,
    down,
    moved,
    deletedHere,
    deletedThere,
    rescued,
    conflicts: outcome.conflicts.slice(0, listedMax),
    leftOut: skipped.slice(0, listedMax),
    holds: outcome.holds.map(({ kind, members }) => ({
      id: kind,
      kind,
      count: members.length,
      sample: members.slice(0, sampleSize).map(({ path }) => path),
    })),
    bytesUp,
    bytesDown,
    ms,
    inSync: outcome.isInSync,
    truncated: outcome.conflicts.length > listedMax || skipped.length > listedMax,
  };
}

/** Whether another process has returned a report. */
export function isReport(value: unknown): value is SyncReport {
  return (
    typeof value === 'object' && value !== null && 'cursor' in value && 'holds' in value && 'leftOut' in value
  );
}

export function exitOf(report: SyncReport): ExitCode {
  const { holds, conflicts, rescued, leftOut: skipped, inSync } = report;
  const code = gravest([
    ...(holds.length > 0 ? [exitCodes.held] : []),
    ...(conflicts.length > 0 || rescued > 0 ? [exitCodes.conflict] : []),
    ...(skipped.some(({ reason }) => !isByDesign(reason)) ? [exitCodes.skipped] : []),
  ]);
  return code === exitCodes.done && !inSync ? exitCodes.failed : code;
}

/** Numbers of completed operations. */
export interface DoneCounts
  extends Pick<SyncReport, 'up' | 'down' | 'moved' | 'deletedHere' | 'deletedThere' | 'rescued'> {
  readonly conflicts: number;
  readonly leftOut: number;
}

/** `1 up, 0 down, 2 moved`. The first two are always included. */
export function doneParts(done: DoneCounts): readonly string[] {
  const { up, down, moved, deletedHere, deletedThere, rescued, conflicts, leftOut: skipped } = done;
  return [
    `${up} up`,
    `${down} down`,
    ...(moved > 0 ? [`${moved} moved`] : []),
    ...(deletedThere > 0 ? [`${deletedThere} deleted there`] : []),
    ...(deletedHere > 0 ? [`${deletedHere} deleted here`] : []),
    ...(rescued > 0 ? [`${rescued} rescued`] : []),
    ...(conflicts > 0 ? [counted(conflicts, 'conflicted copy', 'conflicted copies')] : []),
    ...(skipped > 0 ? [`${skipped} left out`] : []),
  ];
}

export function printReport(output: Output, report: SyncReport): void {
  output.data(report);
  const { conflicts, leftOut: skipped, holds, inSync, cursor } = report;
  const counts = { ...report, conflicts: conflicts.length, leftOut: skipped.length };
  const parts = doneParts(counts).join(', ');
  printPending(output, holds);
  const exceptPending = holds.length > 0 ? ', except for changes that wait for confirmation' : '';
  output.line(
    inSync
      ? `In sync at change ${cursor}${exceptPending}: ${parts}.`
      : `Not everything is done yet, at change ${cursor}: ${parts}. Run \`stoa sync\` again.`,
  );
  if (output.isVerbose) for (const each of skipped) printSkipped(output, each);
  else if (skipped.length > 0) {
    const counts = Map.groupBy(skipped, ({ reason }) => reason);
    const summary = skippedSummary([...counts].map(([reason, each]) => [reason, each.length] as const));
    output.note(`Not synced: ${summary}. List them: stoa status --verbose`);
  }
}

export function printPending(output: Output, holds: SyncReport['holds']): void {
  for (const { kind, count, sample } of holds) {
    output.line(
      `${pendingText(output, kind, count)}: ${sample.slice(0, 3).map(shownText).join(', ')}${count > 3 ? ', …' : ''}`,
    );
  }
  if (holds.length > 0) output.note(pendingNext);
}

export const pendingNext = 'To apply them: stoa sync --confirm. To undo them: stoa sync --undo-held.';

/** `held  12 deletes on the server`. */
export function pendingText(output: Output, kind: string, count: number): string {
  const what = counted(count, pendingWords[kind] ?? kind, pendingManyWords[kind] ?? kind);
  return `${output.paint('yellow', 'held')}  ${what}`;
}

export function printSkipped(
  output: Output,
  {
    path,
    reason,
    detail,
    retryAt = null,
  }: {
    readonly path: string;
    readonly reason: string;
    readonly detail: string | null;
    readonly retryAt?: number | null;
  },
): void {
  const next = skippedNext(reason);
  const what = `${skippedWords(reason)}${detail === null ? '' : ` (${shownText(detail)})`}`;
  const again = retryAt === null ? '' : `; next at ${shownTime(retryAt)}`;
  output.line(`  ${shownText(path)}  ${what}${next === null ? '' : `: ${next}`}${again}`);
}

const pendingWords: Readonly<Record<string, string>> = {
  deletes_there: 'delete on the server',
  deletes_here: 'delete here',
  changes: 'change to send',
  list_disagrees: 'file on which the lists disagree',
  copies: 'conflicted copy to make',
};
export const pendingManyWords: Readonly<Record<string, string>> = {
  deletes_there: 'deletes on the server',
  deletes_here: 'deletes here',
  changes: 'changes to send',
  list_disagrees: 'files on which the lists disagree',
  copies: 'conflicted copies to make',
};

function isByDesign(reason: string): boolean {
  const known = reason as Parameters<typeof isSkippedByDesign>[0];
  return isSkippedByDesign(known);
}
