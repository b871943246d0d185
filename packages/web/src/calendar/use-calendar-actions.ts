import { fileAddress } from '../api/addresses.ts';
import { type Listing, nameOf } from '../api/listing-index.ts';
import { calendar as texts } from '../text/en/calendar.ts';
import { ui } from '../text/en/ui.ts';
import { visibleName } from '../text/visible-name.ts';
import { useGoTo } from '../ui/AppLink.tsx';
import { notify } from '../ui/notices.ts';
import { attempt } from '../ui/use-task.ts';
import type { Day } from './calendar-days.ts';
import { dayInWords, makeNote, setDate } from './set-date.ts';

export interface CalendarActions {
  /** Why nothing can be made or changed, or null. */
  readonly readOnlyBecause: string | null;
  newNote(day: Day): void;
  changeDate(path: string, day: Day): void;
}

export function useCalendarActions(
  workspaceId: string,
  folder: string,
  listing: Listing | null,
  readOnlyBecause: string | null,
): CalendarActions {
  const goTo = useGoTo();
  return {
    readOnlyBecause,
    newNote: (day) => {
      if (readOnlyBecause !== null) return;
      attempt(
        (why) => ui.notPossible(texts.newNote(dayInWords(day)), why),
        async () => {
          const path = await makeNote(workspaceId, folder, day, (path) => listing?.entryAt(path) != null);
          goTo(fileAddress(workspaceId, path, { mode: 'edit' }));
        },
      );
    },
    changeDate: (path, day) => {
      if (readOnlyBecause !== null) return;
      attempt(
        (why) => ui.notPossible(texts.changeDate, why),
        async () => {
          await setDate(workspaceId, path, day);
          notify({ text: texts.changed(visibleName(nameOf(path)), dayInWords(day)) });
        },
      );
    },
  };
}
