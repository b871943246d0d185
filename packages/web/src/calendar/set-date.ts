import { StoaApiError } from '@stoa/client';
import { client } from '../api/client.ts';
import { decodeText } from '../api/decode-text.ts';
import { changeDate } from '../reading/ask-parser.ts';
import { calendar as texts } from '../text/en/calendar.ts';
import { type Day, dateOf, today } from './calendar-days.ts';
import { newNote, newNoteName } from './new-note.ts';

const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeZone: 'UTC' });
const weekday = { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' } as const;
const weekdayFormat = new Intl.DateTimeFormat(undefined, weekday);
const weekdayOfYearFormat = new Intl.DateTimeFormat(undefined, { ...weekday, year: 'numeric' });
/** Another user may save the note between reading and writing it. */
const triesMax = 4;

/**
 * Changes only the date of a note. Concurrent saves by others are read and kept.
 * @throws an error with a message for the user, for instance where the front matter cannot be changed safely
 */
export async function setDate(workspaceId: string, path: string, day: Day): Promise<void> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const read = await client.readFile(workspaceId, path);
    if (read.kind !== 'file') throw new Error(texts.notText);
    const decoded = decodeText(await read.bytes());
    if (decoded.kind !== 'text') throw new Error(texts.notText);
    const changed = await changeDate(decoded.text, day);
    if (changed === null) throw new Error(texts.dateNotSafe);
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
  throw new Error(texts.savedByOthers);
}

/** Creates a note for a day under the first free name in the folder. Returns its path. */
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
    // Without a precondition the server rejects the write if the path is taken.
    const outcome = await client.writeFile(workspaceId, pathOf(name), newNote(day), { kind: 'none' });
    if (outcome.kind === 'created') return pathOf(name);
    if (outcome.kind !== 'precondition_required') throw new Error(texts.workspaceFull);
    taken.add(name);
  }
  throw new StoaApiError(texts.savedByOthers, { status: 428 });
}

export function dayInWords(day: Day): string {
  return dayFormat.format(dateOf(day));
}

/** `Wednesday, November 25`, with the year unless it is the current one. */
export function weekdayInWords(day: Day, now: Date): string {
  const isThisYear = day.slice(0, 4) === today(now).slice(0, 4);
  return (isThisYear ? weekdayFormat : weekdayOfYearFormat).format(dateOf(day));
}
