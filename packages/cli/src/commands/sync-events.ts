import type { SyncEvent } from '../engine/engine.ts';
import { shownDuration, shownTime } from '../output/human.ts';
import type { Output } from '../output/output.ts';
import { shownText } from '../output/shown-text.ts';

/** Prints one line for each completed operation. */
export function printEvent(output: Output, event: SyncEvent): void {
  const { paint } = output;
  switch (event.event) {
    case 'up':
      output.line(`${paint('green', '↑')} ${pathAndVersion(event)}`);
      break;
    case 'down':
      output.line(`${paint('cyan', '↓')} ${pathAndVersion(event)}`);
      break;
    case 'deleted_there':
      output.line(`× ${shownText(event.path)}  deleted on the server`);
      break;
    case 'deleted_here':
      output.line(
        event.why === 'made_private'
          ? `× ${shownText(event.path)}  removed here: another member made it private`
          : `× ${shownText(event.path)}  deleted here: it is in the trash`,
      );
      break;
    case 'rescued':
      output.warn(
        `! ${shownText(event.path)}  was made private by another member: your edit is in .stoa/rescued`,
      );
      break;
    case 'moved':
      output.line(`→ ${shownText(event.path)}  from ${shownText(event.from)}`);
      break;
    case 'conflict': {
      const reported = `changed on both sides: yours is ${shownText(event.copy)}`;
      output.line(`${paint('yellow', '!')} ${shownText(event.path)}  ${reported}`);
      break;
    }
    case 'left_out':
      if (event.reason === 'changing') output.note(changingText(event));
      else if (output.isVerbose) output.note(`- ${shownText(event.path)}  left out: ${event.reason}`);
      break;
    case 'held':
    case 'planned':
      break;
    case 'retry':
      output.note(`${shownText(event.message)}; trying again in ${shownDuration(event.pauseMs)}.`);
      break;
  }
}

/** `~ app.log  keeps changing: goes when it rests, by 2026-11-20 14:30:12`. */
export function changingText({
  path,
  retryAt,
}: {
  readonly path: string;
  readonly retryAt: number | null;
}): string {
  return `~ ${shownText(path)}  keeps changing: goes when it rests${retryAt === null ? '' : `, by ${shownTime(retryAt)}`}`;
}

function pathAndVersion({
  path,
  version,
}: {
  readonly path: string;
  readonly version: number | null;
}): string {
  return version === null ? shownText(path) : `${shownText(path)}  v${version}`;
}
