import { useId, useState } from 'react';
import { nameOf } from '../api/listing-index.ts';
import { useListing } from '../api/use-listing.ts';
import { calendar as texts } from '../text/en/calendar.ts';
import { ui } from '../text/en/ui.ts';
import { visibleName } from '../text/visible-name.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog, DialogButtons } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { FormAlert } from '../ui/States.tsx';
import { useTask } from '../ui/use-task.ts';
import { parseDay } from './calendar-days.ts';
import { reportMoved } from './report-moved.ts';
import { setDate } from './set-date.ts';
import '../ui/page.css';

export function ChangeDateDialog({
  workspaceId,
  path,
  onClose,
}: {
  readonly workspaceId: string;
  readonly path: string;
  onClose(): void;
}) {
  const listing = useListing(workspaceId);
  const file = listing.kind === 'ready' ? listing.listing.files.get(path) : undefined;
  const before = parseDay(file?.frontMatter?.date ?? '');
  const [date, setDateText] = useState(before ?? '');
  const alertId = useId();
  const task = useTask();
  const name = visibleName(nameOf(path));
  const title = texts.changeDateOf(name);
  const change = async () => {
    const day = parseDay(date);
    if (day === null) throw new Error(texts.notADay);
    await setDate(workspaceId, path, day);
    reportMoved(workspaceId, path, before, day);
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="page-form"
        aria-label={title}
        onSubmit={(event) => {
          event.preventDefault();
          task.run(change);
        }}
      >
        <Field
          label={texts.date}
          wrongBy={task.error === null ? undefined : alertId}
          type="date"
          value={date}
          required
          onChange={(event) => setDateText(event.target.value)}
        />
        <FormAlert id={alertId}>{task.error}</FormAlert>
        <DialogButtons>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button kind="primary" type="submit" needsServer aria-busy={task.busy}>
            {texts.change}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
