import { calendar as texts } from '../text/en/calendar.ts';
import { files } from '../text/en/files.ts';
import { notices } from '../text/en/notices.ts';
import { ui } from '../text/en/ui.ts';
import { notify } from '../ui/notices.ts';
import { attempt } from '../ui/use-task.ts';
import type { Day } from './calendar-days.ts';
import { setDate, weekdayInWords } from './set-date.ts';

/**
 * Notifies the user of a note's new day.
 * @param before the day that Undo sets again; null where the note had none
 */
export function reportMoved(workspaceId: string, path: string, before: Day | null, day: Day): void {
  const undo = (to: Day) => {
    attempt(
      (why) => ui.notPossible(files.changeDate, why),
      async () => {
        await setDate(workspaceId, path, to);
        reportMoved(workspaceId, path, null, to);
      },
    );
  };
  notify({
    text: texts.changed(weekdayInWords(day, new Date())),
    ...(before === null || before === day
      ? {}
      : { actions: [{ label: notices.undo, run: () => undo(before) }] }),
  });
}
