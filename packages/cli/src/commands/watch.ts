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
import { tellEvent } from './sync-events.ts';
import { planReportOf } from './sync-plan.ts';
import { startSyncProgress, tellProgress } from './sync-progress.ts';
import { reportOf } from './sync-report.ts';

const startPauseMs = 5000;

export const addWatch: AddCommand = ({ command, act }) =>
  command('watch', 'keep the folder and its workspace the same, for as long as it runs').action(
    act((context) => {
      const progress = startSyncProgress(context.output, context.host);
      return watch(context, progress).finally(progress.end);
    }),
  );

/** Ends by a signal, a refused credential, or a folder that is gone. A server that fails never ends it. */
async function watch({ host, output, dir }: Context, progress: Progress): Promise<ExitCode> {
  const { folder, config } = await readFolderSource(host.cwd, dir);
  const tell = (event: SyncEvent | WatchEvent) => {
    tellWatch(output, event);
    // Of the first pass alone: what comes after is a file now and then, each with its line.
    if (event.event === 'in_sync' || event.event === 'offline' || event.event === 'held') progress.end();
    tellProgress(progress, event);
  };
  const working = await openPatiently(host, tell, () =>
    // The watch has its own patience.
    createEngine(host, { folder, config, patienceMs: 0, onEvent: tell, onBytes: progress.moved }),
  );
  if (working === 'ended') return exitCodes.done;
  if (working === null) {
    throw busyFailure(folder, 'One watch is enough: `stoa status` shows how it stands.');
  }
  try {
    output.note(`Watching ${shownFolder(host.home, folder)}. Ctrl-C ends it.`);
    await watchEngine(working.engine, {
      pid: process.pid,
      requests: await openRequests(folder),
      onEvent: tell,
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

/** Until the server answers. */
async function openPatiently(
  host: Host,
  tell: (event: WatchEvent) => void,
  open: () => Promise<OpenedEngine | null>,
): Promise<OpenedEngine | null | 'ended'> {
  for (let tries = 0; !host.signal.aborted; tries += 1) {
    try {
      return await open();
    } catch (error) {
      if (host.signal.aborted) break;
      if (!(error instanceof RemoteFailure) || error.kind !== 'passing') throw error;
      if (tries === 0) tell({ event: 'offline', message: error.message });
      await host.pace.sleep(startPauseMs, host.signal);
    }
  }
  return 'ended';
}

function tellWatch(output: Output, event: SyncEvent | WatchEvent): void {
  // What is not a thing done or a state is for people only.
  if (event.event !== 'retry' && event.event !== 'planned')
    output.data({ at: new Date().toISOString(), ...toldEvent(event) });
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
    case 'in_sync':
      output.line('in sync');
      break;
    default:
      tellEvent(output, event);
  }
}

/** As programs read it: a delete is one event, whichever side it was done on. */
function toldEvent(event: SyncEvent | WatchEvent): object {
  switch (event.event) {
    case 'deleted_here':
      return { ...event, event: 'deleted', side: 'here' };
    case 'deleted_there':
      return { ...event, event: 'deleted', side: 'there' };
    default:
      return event;
  }
}
