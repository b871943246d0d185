import { StoaApiError } from '@stoa/client';
import { client } from '../api/client.ts';
import { decodeText } from '../api/decode-text.ts';
import { calendar as texts } from '../text/en/calendar.ts';
import { type Day, dateOf } from './calendar-days.ts';
import { changeDate, newNote, newNoteName } from './change-date.ts';

const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeZone: 'UTC' });
/** Somebody may write to the note meanwhile. */
const triesMax = 4;

/**
 * Changes the date of a note: that one line of it. What somebody saves meanwhile is read and kept.
 * @throws an error whose message people can read
 */
export async function setDate(workspaceId: string, path: string, day: Day): Promise<void> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const read = await client.readFile(workspaceId, path);
    if (read.kind !== 'file') throw new Error(texts.notText);
    const decoded = decodeText(await read.bytes());
    if (decoded.kind !== 'text') throw new Error(texts.notText);
    const changed = changeDate(decoded.text, day);
    if (changed === decoded.text) return;
    const precondition = { kind: 'version', version: read.version } as const;
    const { contentType } = read;
    const outcome = await client.writeFile(workspaceId, path, changed, precondition, {
      contentType,
      onConflict: 'refuse',
    });
    if (outcome.kind === 'created' || outcome.kind === 'updated' || outcome.kind === 'unchanged') return;
    if (outcome.kind !== 'refused') throw new Error(texts.workspaceFull);
  }
  throw new Error(texts.somebodyWasFaster);
}

/** Makes a note of a day in a folder, under the first name that is free. Answers its path. */
export async function makeNote(
  workspaceId: string,
  folder: string,
  day: Day,
  isTaken: (path: string) => boolean,
): Promise<string> {
  const pathOf = (name: string) => (folder === '' ? name : `${folder}/${name}`);
  const taken = new Set<string>();
  for (let tries = 0; tries < triesMax; tries += 1) {
    const name = newNoteName(day, (name) => taken.has(name) || isTaken(pathOf(name)));
    // No precondition: where something is already, nothing happens.
    const outcome = await client.writeFile(workspaceId, pathOf(name), newNote(day), { kind: 'none' });
    if (outcome.kind === 'created') return pathOf(name);
    if (outcome.kind !== 'precondition_required') throw new Error(texts.workspaceFull);
    taken.add(name);
  }
  throw new StoaApiError(texts.somebodyWasFaster, { status: 428 });
}

export function dayInWords(day: Day): string {
  return dayFormat.format(dateOf(day));
}
