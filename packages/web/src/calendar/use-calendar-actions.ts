import { fileAddress } from '../api/addresses.ts';
import type { FileEntry, Listing } from '../api/listing-index.ts';
import { calendar as texts } from '../text/en/calendar.ts';
import { files } from '../text/en/files.ts';
import { ui } from '../text/en/ui.ts';
import { useGoTo } from '../ui/AppLink.tsx';
import type { MenuEntry } from '../ui/Menu.tsx';
import { notify } from '../ui/notices.ts';
import { attempt } from '../ui/use-task.ts';
import { type Day, parseDay } from './calendar-days.ts';
import { reportMoved } from './report-moved.ts';
import { dayInWords, makeNote, setDate } from './set-date.ts';

export interface CalendarActions {
  /** Why nothing can be created or changed, or null. */
  readonly readOnlyBecause: string | null;
  menuOf(file: FileEntry): readonly MenuEntry[];
  newNote(day: Day): void;
  changeDate(path: string, day: Day): void;
}

export function useCalendarActions(
  workspaceId: string,
  folder: string,
  listing: Listing,
  { readOnlyBecause, menuOf }: Pick<CalendarActions, 'readOnlyBecause' | 'menuOf'>,
): CalendarActions {
  const goTo = useGoTo();
  return {
    readOnlyBecause,
    menuOf,
    newNote: (day) => {
      if (readOnlyBecause !== null) return void notify({ text: readOnlyBecause });
      attempt(
        (why) => ui.notPossible(texts.newNote(dayInWords(day)), why),
        async () => {
          const path = await makeNote(workspaceId, folder, day, (path) => listing.entryAt(path) !== null);
          goTo(fileAddress(workspaceId, path, { mode: 'edit' }));
        },
      );
    },
    changeDate: (path, day) => {
      if (readOnlyBecause !== null) return void notify({ text: readOnlyBecause });
      attempt(
        (why) => ui.notPossible(files.changeDate, why),
        async () => {
          await setDate(workspaceId, path, day);
          reportMoved(workspaceId, path, parseDay(listing.files.get(path)?.frontMatter?.date ?? ''), day);
        },
      );
    },
  };
}
