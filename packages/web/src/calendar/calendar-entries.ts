import type { FileEntry } from '../api/listing-index.ts';
import { type Day, parseDay } from './calendar-days.ts';

/** A note of a calendar. */
export interface CalendarEntry {
  readonly path: string;
  /** Its title in the front matter, else its name. */
  readonly title: string;
  readonly file: FileEntry;
}

export interface CalendarEntries {
  readonly byDay: ReadonlyMap<Day, readonly CalendarEntry[]>;
  readonly undated: readonly CalendarEntry[];
}

/** The page of a folder is not one of its notes. */
const folderPages: ReadonlySet<string> = new Set(['readme.md', 'index.md']);

/**
 * The Markdown files directly in a folder, by the day in their front matter.
 * @param files in the order of the folder
 */
export function calendarEntries(
  files: readonly FileEntry[],
  isMarkdown: (file: FileEntry) => boolean,
): CalendarEntries {
  const byDay = new Map<Day, CalendarEntry[]>();
  const undated: CalendarEntry[] = [];
  for (const file of files) {
    if (!isMarkdown(file) || folderPages.has(file.name.toLowerCase())) continue;
    const entry = { path: file.path, title: file.frontMatter?.title ?? file.name, file };
    const day = parseDay(file.frontMatter?.date ?? '');
    if (day === null) undated.push(entry);
    else if (byDay.has(day)) byDay.get(day)?.push(entry);
    else byDay.set(day, [entry]);
  }
  return { byDay, undated };
}
