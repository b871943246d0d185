import { isFileShown } from '../api/addresses.ts';
import type { engines } from '../editing/engines.ts';
import { reading as texts } from '../text/en/reading.ts';
import { ui } from '../text/en/ui.ts';
import { notify } from '../ui/notices.ts';
import { messageOf } from '../ui/use-task.ts';

/** A task in the shown text. `at` is the position of the character between its brackets. */
export interface ShownTask {
  readonly engines: Pick<typeof engines, 'open'>;
  readonly workspaceId: string;
  readonly path: string;
  readonly source: string;
  readonly at: number;
}

/**
 * Toggles a task: a change of one character through the file's save engine, so concurrent saves by others are kept.
 * @throws when the task no longer exists, after a notice.
 */
export async function tickTask(
  { engines, workspaceId, path, source, at }: ShownTask,
  done: boolean,
): Promise<void> {
  try {
    const opened = await engines.open(workspaceId, path);
    if (opened.kind !== 'opened') throw new Error(texts.taskGone);
    const { engine } = opened;
    const text = engine.documents.toText(engine.state.doc);
    const location = locationOfTask(source, text, at);
    if (location === null) throw new Error(texts.taskGone);
    const ticked = text.slice(0, location) + (done ? 'x' : ' ') + text.slice(location + 1);
    if (ticked !== text) engine.notify({ kind: 'edited', doc: engine.documents.fromText(ticked) });
    engine.notify({ kind: 'save_asked' });
    // Without a page the engine runs until the text is saved.
    if (!isFileShown(workspaceId, engine.path)) engine.notify({ kind: 'left', page: true });
  } catch (error) {
    notify({ text: ui.notPossible(texts.ticking, messageOf(error)), failure: true });
    throw error;
  }
}

/** The position in the current text of a task of the shown text; null if it cannot be determined. */
export function locationOfTask(shown: string, present: string, at: number): number | null {
  if (shown === present) return isBox(present, at) ? at : null;
  const start = shown.lastIndexOf('\n', at - 1) + 1;
  const end = shown.indexOf('\n', at);
  const line = shown.slice(start, end === -1 ? undefined : end + 1);
  const found = lineLocations(present, line);
  const location = found[0];
  return found.length === 1 && location !== undefined && isBox(present, location + at - start)
    ? location + at - start
    : null;
}

function lineLocations(text: string, line: string): readonly number[] {
  const locations: number[] = [];
  for (let from = text.indexOf(line); from !== -1; from = text.indexOf(line, from + 1)) {
    if (from === 0 || text[from - 1] === '\n') locations.push(from);
  }
  return locations;
}

function isBox(text: string, at: number): boolean {
  return text[at - 1] === '[' && text[at + 1] === ']' && /[ xX\t]/.test(text[at] ?? '');
}
