import { readFolderSource } from '../config/source.ts';
import { createEngine, type OpenedEngine, openRequests } from '../create-engine.ts';
import type { SyncEvent } from '../engine/engine.ts';
import { RemoteFailure } from '../engine/ports/remote-workspace.ts';
import { watchEngine } from '../engine/watch/watch-engine.ts';
import type { WatchEvent } from '../engine/watch/watch-workspace.ts';
import { type ExitCode, exitCodes } from '../output/exit-codes.ts';
import type { Host } from '../output/host.ts';
import type { Output } from '../output/output.ts';
import type { Progress } from '../output/progress.ts';
import { shownText } from '../output/shown-text.ts';
import { busyFailure } from './ask-working.ts';
import type { AddCommand, Context } from './context.ts';
import { shownFolder } from './shown-folder.ts';
import { printEvent } from './sync-events.ts';
import { planReportOf } from './sync-plan.ts';
import { printProgress, startSyncProgress } from './sync-progress.ts';
import { type DoneCounts, doneParts, pendingNext, pendingText, reportOf } from './sync-report.ts';

const startPauseMs = 5000;

export const addWatch: AddCommand = ({ command, act }) =>
  command('watch', 'sync the folder continuously until stopped').action(
    act((context) => {
      const progress = startSyncProgress(context.output, context.host);
      return watch(context, progress).finally(progress.end);
    }),
  );

/** Runs until a signal, a rejected credential, or the loss of the folder. An unavailable server never ends it. */
async function watch({ host, output, dir }: Context, progress: Progress): Promise<ExitCode> {
  const { folder, config } = await readFolderSource(host.cwd, dir);
  const printWatch = createWatchTelling(output);
  const notify = (event: SyncEvent | WatchEvent) => {
    printWatch(event);
    // Progress is for the first pass only. Later changes are few, and each has its line.
    if (event.event === 'in_sync' || event.event === 'offline' || event.event === 'held') progress.end();
    printProgress(progress, event);
  };
  const working = await openPatiently(host, notify, () =>
    // The watch has its own retry budget.
    createEngine(host, { folder, config, retryBudgetMs: 0, onEvent: notify, onBytes: progress.moved }),
  );
  if (working === 'ended') return exitCodes.done;
  if (working === null) {
    throw busyFailure(folder, 'One watch is enough: `stoa status` shows its state.');
  }
  try {
    output.note(`Watching ${shownFolder(host.home, folder)}. Ctrl-C ends it.`);
    await watchEngine(working.engine, {
      pid: process.pid,
      requests: await openRequests(folder),
      onEvent: notify,
      describe(outcome, isDryRun) {
        const report = reportOf(outcome);
        return isDryRun ? planReportOf(outcome.planned, report) : report;
      },
    });
  } finally {
    await working[Symbol.asyncDispose]();
  }
  return exitCodes.done;
}

/**
 * Retries until the server responds or another error occurs. Of the server's errors, only a rejected credential ends
 * it.
 */
async function openPatiently(
  host: Host,
  report: (event: WatchEvent) => void,
  open: () => Promise<OpenedEngine | null>,
): Promise<OpenedEngine | null | 'ended'> {
  for (let tries = 0; !host.signal.aborted; tries += 1) {
    try {
      const opened = await open();
      if (tries > 0) report({ event: 'online' });
      return opened;
    } catch (error) {
      if (host.signal.aborted) break;
      if (!(error instanceof RemoteFailure) || error.kind === 'stopped') throw error;
      if (tries === 0) report({ event: 'offline', message: error.message });
      await host.pace.sleep(startPauseMs, host.signal);
    }
  }
  return 'ended';
}

/**
 * Prints a line for each completed operation. Reports "in sync" when it becomes true: at the start, after operations,
 * and when the server is back.
 */
function createWatchTelling(output: Output): (event: SyncEvent | WatchEvent) => void {
  let done = nothingDone;
  let isNews = true;
  return (event) => {
    if (event.event === 'in_sync' && !isNews) return;
    // Events that are neither an operation nor a state are for users only.
    if (event.event !== 'retry' && event.event !== 'planned')
      output.data({ at: new Date().toISOString(), ...reportedEvent(event) });
    const counted = countDone(done, event);
    isNews ||= counted !== done || event.event === 'offline' || event.event === 'held';
    done = counted;
    switch (event.event) {
      case 'online':
        output.line('online again');
        break;
      case 'offline':
        output.line(`offline: ${shownText(event.message)}`);
        break;
      case 'polling':
        output.warn(`Changes here are looked for every 10 seconds: ${shownText(event.detail)}`);
        break;
      case 'held':
        output.line(pendingText(output, event.kind, event.count));
        output.note(`Which: stoa status --verbose. ${pendingNext}`);
        break;
      case 'in_sync':
        output.line(inSyncText(event, done));
        if (done.leftOut > 0)
          output.note('Paths that are not synced, with the reason: stoa status --verbose');
        done = nothingDone;
        isNews = false;
        break;
      default:
        printEvent(output, event);
    }
  };
}

const nothingDone: DoneCounts = {
  up: 0,
  down: 0,
  moved: 0,
  deletedHere: 0,
  deletedThere: 0,
  rescued: 0,
  conflicts: 0,
  leftOut: 0,
};

/** Returns the same counts object if the event is not an operation. */
function countDone(done: DoneCounts, event: SyncEvent | WatchEvent): DoneCounts {
  switch (event.event) {
    case 'up':
    case 'down':
    case 'moved':
    case 'rescued':
      return { ...done, [event.event]: done[event.event] + 1 };
    case 'deleted_here':
      return { ...done, deletedHere: done.deletedHere + 1 };
    case 'deleted_there':
      return { ...done, deletedThere: done.deletedThere + 1 };
    case 'conflict':
      return { ...done, conflicts: done.conflicts + 1 };
    case 'left_out':
      // The first two are configured, and the last has a line of its own.
      return ['ignored', 'frozen', 'changing'].includes(event.reason)
        ? done
        : { ...done, leftOut: done.leftOut + 1 };
    default:
      return done;
  }
}

/** `In sync at change 4821: 1 up, 2 down.` */
function inSyncText(
  { cursor, isHeld: isPending }: Extract<WatchEvent, { event: 'in_sync' }>,
  done: DoneCounts,
): string {
  const exceptPending = isPending
    ? ', except for changes that wait for confirmation (stoa status --verbose)'
    : '';
  const parts = doneParts(done).filter((part) => !part.startsWith('0 '));
  return `In sync at change ${cursor}${exceptPending}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}.`;
}

/** Event as programs read it. A delete is one event, on whichever side it happened. */
function reportedEvent(event: SyncEvent | WatchEvent): object {
  switch (event.event) {
    case 'deleted_here':
      return { ...event, event: 'deleted', side: 'here' };
    case 'deleted_there':
      return { ...event, event: 'deleted', side: 'there' };
    default:
      return event;
  }
}
