import type { SyncEvent } from '../engine/engine.ts';
import type { WatchEvent } from '../engine/watch/watch-workspace.ts';
import type { Host } from '../output/host.ts';
import type { Output } from '../output/output.ts';
import { type Progress, startProgress } from '../output/progress.ts';

/** Starts the progress display of a pass over a folder. */
export function startSyncProgress(output: Output, { pace }: Pick<Host, 'pace'>): Progress {
  return startProgress(output, pace, 'Looking at both sides …');
}

/** Updates the progress from an event. */
export function printProgress(progress: Progress, event: SyncEvent | WatchEvent): void {
  switch (event.event) {
    case 'planned':
      progress.expect(event);
      break;
    case 'up':
    case 'down':
      progress.done(event.event, event.path);
      break;
    case 'conflict':
      // The losing text was sent: the server has it in the copy.
      progress.done('up', event.path);
      break;
  }
}
