import { useState } from 'react';
import { calendar as texts } from '../text/en/calendar.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { CalendarLink, draggedPath } from './CalendarLink.tsx';
import { type Day, dateOf } from './calendar-days.ts';
import type { CalendarEntry } from './calendar-entries.ts';
import type { CalendarActions } from './use-calendar-actions.ts';

const fullDate = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeZone: 'UTC' });
const shownAtMost = 3;

/** One day, with its notes. */
export function CalendarDay({
  workspaceId,
  day,
  entries,
  isToday,
  isOutside,
  isReachable,
  actions,
}: {
  readonly workspaceId: string;
  readonly day: Day;
  readonly entries: readonly CalendarEntry[];
  readonly isToday: boolean;
  readonly isOutside: boolean;
  /** The one day in the tab order. */
  readonly isReachable: boolean;
  readonly actions: CalendarActions;
}) {
  const [all, setAll] = useState(false);
  const [isTarget, setTarget] = useState(false);
  const date = fullDate.format(dateOf(day));
  const shown = all ? entries : entries.slice(0, shownAtMost);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a cell of a grid that is not a table
    <div
      role="gridcell"
      tabIndex={isReachable ? 0 : -1}
      aria-current={isToday ? 'date' : undefined}
      className="calendar-day"
      data-day={day}
      data-outside={isOutside ? true : undefined}
      data-target={isTarget ? true : undefined}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(draggedPath)) return;
        event.preventDefault();
        setTarget(true);
      }}
      onDragLeave={() => setTarget(false)}
      onDrop={(event) => {
        setTarget(false);
        const path = event.dataTransfer.getData(draggedPath);
        if (path === '') return;
        event.preventDefault();
        event.stopPropagation();
        actions.changeDate(path, day);
      }}
    >
      {/* Only the date names the cell, because the content of a group is not part of the name of its parent. */}
      <span className="visually-hidden">{date}</span>
      <span className="calendar-day-number" aria-hidden="true">
        {Number(day.slice(8))}
      </span>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
      <div role="group" className="calendar-day-parts">
        <IconButton
          icon="plus"
          className="calendar-new"
          needsServer
          disabledBecause={actions.readOnlyBecause}
          name={texts.newNote(date)}
          onClick={() => actions.newNote(day)}
        />
        {shown.map((entry) => (
          <CalendarLink key={entry.path} workspaceId={workspaceId} entry={entry} actions={actions} />
        ))}
        {entries.length > shown.length ? (
          <Button
            kind="quiet"
            className="calendar-all"
            aria-label={texts.showAll(entries.length, date)}
            onClick={() => setAll(true)}
          >
            {texts.more(entries.length - shown.length)}
          </Button>
        ) : null}
      </div>
    </div>
  );
}
