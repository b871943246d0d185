import { listedMax, type SyncOperation, type SyncPlan } from '@stoa/core';
import { counted } from '../output/human.ts';
import type { Output } from '../output/output.ts';
import { shownText } from '../output/shown-text.ts';
import { isReport, printPending, printSkipped, type SyncReport } from './sync-report.ts';

/** A planned operation in words for the user. */
export interface PlannedStep {
  readonly action:
    | 'send'
    | 'fetch'
    | 'keep both'
    | 'merge'
    | 'make folder'
    | 'move'
    | 'set aside'
    | 'delete'
    | 'remove folder'
    | 'rescue';
  /** The path of a folder ends in `/`. */
  readonly path: string;
  readonly from: string | null;
  readonly side: 'here' | 'there';
  readonly why: string | null;
}

/** Null for operations that only update the state because both sides already match. */
export function plannedStep(operation: SyncOperation): PlannedStep | null {
  const { path } = operation;
  const step = (
    action: PlannedStep['action'],
    side: PlannedStep['side'],
    rest: { readonly why?: string; readonly from?: string; readonly path?: string } = {},
  ): PlannedStep => ({
    action,
    path: rest.path ?? path,
    from: rest.from ?? null,
    side,
    why: rest.why ?? null,
  });
  switch (operation.kind) {
    case 'upload':
      return step('send', 'there', {
        why: operation.remote.kind === 'file' ? `over v${operation.remote.version}` : 'new',
      });
    case 'download':
      return step('fetch', 'here', {
        why: `v${operation.wanted.version}${operation.over.kind === 'file' ? ', in place of what is here' : ''}`,
      });
    case 'conflict':
      return step('keep both', 'here', { why: 'changed on both sides: yours becomes a conflicted copy' });
    case 'merge':
      return step('merge', 'here', { why: 'changed on both sides' });
    case 'put_placeholder':
      return step('make folder', 'there', { path: `${operation.folder}/` });
    case 'make_folder':
      return step('make folder', 'here', { path: `${operation.folder}/` });
    case 'move_there':
      return step('move', 'there', { from: operation.from });
    case 'move_folder_there':
      return step('move', 'there', { path: `${path}/`, from: `${operation.from}/` });
    case 'rename_here':
      return step('move', 'here', { from: operation.from });
    case 'set_aside':
      return step('set aside', 'here', { from: operation.from, why: 'its path is taken on the server' });
    case 'delete_there':
      return step('delete', 'there');
    case 'remove_here':
      return step('delete', 'here', { why: 'it goes to the trash' });
    case 'unlink_here':
      return step('delete', 'here', { why: 'another member made it private' });
    case 'rescue':
      return step('rescue', 'here', {
        why: 'another member made it private: your edit goes to .stoa/rescued',
      });
    case 'remove_folder_here':
      return step('remove folder', 'here', { path: `${path}/`, why: 'if nothing else is in it' });
    case 'adopt':
    case 'forget':
    case 'carry_base':
    case 'adopt_folder':
    case 'forget_folder':
      return null;
  }
}

/** Result of a dry run, as printed by `--json` and as sent between two `stoa` processes. */
export interface PlanReport extends SyncReport {
  readonly planned: readonly PlannedStep[];
  /** Number of all steps; the list ends at a thousand. */
  readonly steps: number;
  /** Number of files that already match on both sides but were unknown to this folder. */
  readonly alike: number;
}

export function planReportOf(operations: SyncPlan['operations'], report: SyncReport): PlanReport {
  const steps = operations.flatMap((operation) => plannedStep(operation) ?? []);
  return {
    ...report,
    planned: steps.slice(0, listedMax),
    steps: steps.length,
    alike: operations.filter(({ kind }) => kind === 'adopt').length,
    truncated: report.truncated || steps.length > listedMax,
  };
}

/** Whether another process has returned the report of a dry run. */
export function isPlanReport(value: object): value is PlanReport {
  return isReport(value) && 'planned' in value && Array.isArray(value.planned);
}

/** Prints the report for the user. */
export function printPlan(output: Output, report: PlanReport): void {
  const { planned, steps, holds, leftOut: skipped, alike: same } = report;
  output.data(report);
  for (const step of planned) output.line(stepText(step));
  if (steps > planned.length) output.line(`… and ${steps - planned.length} more`);
  printPending(output, holds);
  if (output.isVerbose) for (const each of skipped) printSkipped(output, each);
  const alike = same > 0 ? ` ${counted(same, 'file is', 'files are')} the same on both sides already.` : '';
  output.line(
    steps === 0
      ? `Nothing would be done.${alike}`
      : `${counted(steps, 'step')}. Nothing was changed.${alike}`,
  );
}

const onServer: ReadonlySet<PlannedStep['action']> = new Set(['delete', 'make folder', 'move']);

function stepText({ action, path, from, side, why }: PlannedStep): string {
  const what = from === null ? shownText(path) : `${shownText(from)} → ${shownText(path)}`;
  // Omitted if it is obvious: files to send go to the server.
  const where = onServer.has(action) ? (side === 'there' ? 'on the server' : 'here') : null;
  const rest = [where, why].filter((part) => part !== null).join(': ');
  return `would ${action}  ${what}${rest === '' ? '' : `  ${rest}`}`;
}
