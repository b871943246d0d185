import { isMarkdown } from '@stoa/core';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { FileEntry, Listing } from '../api/listing-index.ts';
import { calendar as texts } from '../text/en/calendar.ts';
import { visibleName } from '../text/visible-name.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { pressMatches } from '../ui/keys.ts';
import type { MenuEntry } from '../ui/Menu.tsx';
import { singleKeys } from '../ui/single-keys.ts';
import { CalendarDay } from './CalendarDay.tsx';
import { CalendarLink } from './CalendarLink.tsx';
import {
  addDays,
  addMonths,
  addMonthsToDay,
  type Day,
  dateOf,
  type Month,
  monthOf,
  parseMonth,
  today,
  weeksOf,
} from './calendar-days.ts';
import { calendarEntries } from './calendar-entries.ts';
import { useCalendarActions } from './use-calendar-actions.ts';
import './calendar.css';

const monthFormat = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' });
const weekdayFormat = new Intl.DateTimeFormat(undefined, { weekday: 'short', timeZone: 'UTC' });
const weekdayNameFormat = new Intl.DateTimeFormat(undefined, { weekday: 'long', timeZone: 'UTC' });

/** A folder's notes by day. */
export function CalendarView({
  workspaceId,
  folder,
  listing,
  month: wanted,
  onMonth,
  readOnlyBecause,
  menuOf,
}: {
  readonly workspaceId: string;
  readonly folder: string;
  readonly listing: Listing;
  /** From the address; the current month if absent. */
  readonly month: string;
  onMonth(month: Month): void;
  /** Why notes cannot be created or changed, or null. */
  readonly readOnlyBecause: string | null;
  /** The general actions of a file: the calendar adds its own. */
  menuOf(file: FileEntry): readonly MenuEntry[];
}) {
  const actions = useCalendarActions(workspaceId, folder, listing, { readOnlyBecause, menuOf });
  const month = parseMonth(wanted) ?? monthOf(today(new Date()));
  const [focused, setFocused] = useState<Day>(() => focusIn(month));
  const grid = useRef<HTMLDivElement>(null);
  const toFocus = useRef<Day | null>(null);
  const { byDay, undated } = useMemo(() => {
    const files = listing.childrenOf(folder).filter((entry): entry is FileEntry => entry.kind === 'file');
    return calendarEntries(files, ({ path, contentType }) => isMarkdown(path, contentType));
  }, [listing, folder]);
  const weeks = weeksOf(month, firstWeekday());
  // The first and last week of a month may have gaps; the second has none.
  const named = (weeks[1] ?? []).filter((day) => day !== null);
  const now = today(new Date());
  // The month may change from outside: by the address or by Back.
  const reachable = monthOf(focused) === month ? focused : focusIn(month);

  const moveTo = (day: Day) => {
    setFocused(day);
    if (monthOf(day) === month) {
      cellOf(day)?.focus();
      return;
    }
    toFocus.current = day;
    onMonth(monthOf(day));
  };
  const cellOf = (day: Day) => grid.current?.querySelector<HTMLElement>(`[data-day="${day}"]`);
  // A day of another month can take the focus once that month is rendered.
  useEffect(() => {
    if (toFocus.current === null || monthOf(toFocus.current) !== month) return;
    cellOf(toFocus.current)?.focus();
    toFocus.current = null;
  });
  const onKeyDown = (event: KeyboardEvent) => {
    // Links and buttons inside a day handle their own keys.
    if (!(event.target instanceof HTMLElement) || event.target.dataset.day === undefined) return;
    const moved = movedBy(event.key, event.target.dataset.day);
    if (moved !== null) {
      event.preventDefault();
      moveTo(moved);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      event.target.querySelector<HTMLAnchorElement>('a')?.click();
    } else if (pressMatches(event.nativeEvent, 'n') && singleKeys.get()) {
      event.preventDefault();
      event.stopPropagation();
      actions.newNote(event.target.dataset.day);
    }
  };

  return (
    <div className="calendar">
      <div className="calendar-head">
        <h2 className="calendar-month" aria-live="polite">
          {monthFormat.format(dateOf(`${month}-01`))}
        </h2>
        <Button onClick={() => moveTo(now)}>{texts.today}</Button>
        <IconButton
          kind="secondary"
          icon="arrow-left"
          name={texts.previous}
          disabledBecause={addMonths(month, -1) === month ? texts.firstMonth : null}
          onClick={() => onMonth(addMonths(month, -1))}
        />
        <IconButton
          kind="secondary"
          icon="arrow-right"
          name={texts.next}
          disabledBecause={addMonths(month, 1) === month ? texts.lastMonth : null}
          onClick={() => onMonth(addMonths(month, 1))}
        />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a table has no arrow key navigation */}
      <div
        ref={grid}
        role="grid"
        tabIndex={-1}
        aria-label={monthFormat.format(dateOf(`${month}-01`))}
        className="calendar-grid"
        onKeyDown={onKeyDown}
      >
        {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: a row of a grid */}
        <div role="row" className="calendar-week">
          {named.map((day) => (
            // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: a heading of a grid
            <div
              key={day}
              role="columnheader"
              aria-label={weekdayNameFormat.format(dateOf(day))}
              className="calendar-weekday"
            >
              {weekdayFormat.format(dateOf(day))}
            </div>
          ))}
        </div>
        {weeks.map((week, index) => (
          // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive lint/suspicious/noArrayIndexKey: a row of a grid
          <div key={index} role="row" className="calendar-week">
            {week.map((day, weekday) =>
              day === null ? (
                // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive lint/suspicious/noArrayIndexKey: a cell of a grid
                <div key={weekday} role="gridcell" className="calendar-day" data-outside />
              ) : (
                <CalendarDay
                  key={day}
                  workspaceId={workspaceId}
                  day={day}
                  entries={byDay.get(day) ?? []}
                  isToday={day === now}
                  isOutside={monthOf(day) !== month}
                  isReachable={day === reachable}
                  actions={actions}
                />
              ),
            )}
          </div>
        ))}
      </div>
      <section className="calendar-undated" aria-label={texts.undated}>
        <h2>{texts.undated}</h2>
        {undated.length === 0 ? (
          <p className="page-intro">{texts.undatedEmpty}</p>
        ) : (
          <ul className="calendar-undated-list" aria-label={texts.undated}>
            {undated.map((entry) => (
              <li key={entry.path} aria-label={visibleName(entry.title)}>
                <CalendarLink workspaceId={workspaceId} entry={entry} actions={actions} />
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}

function movedBy(key: string, day: Day): Day | null {
  switch (key) {
    case 'ArrowLeft':
      return addDays(day, -1);
    case 'ArrowRight':
      return addDays(day, 1);
    case 'ArrowUp':
      return addDays(day, -7);
    case 'ArrowDown':
      return addDays(day, 7);
    case 'PageUp':
      return addMonthsToDay(day, -1);
    case 'PageDown':
      return addMonthsToDay(day, 1);
    default:
      return null;
  }
}

function focusIn(month: Month): Day {
  const now = today(new Date());
  return monthOf(now) === month ? now : `${month}-01`;
}

/** 1 is Monday. Browsers provide it as a method, as a property, or not at all. */
function firstWeekday(): number {
  interface WithWeek {
    readonly getWeekInfo?: () => { readonly firstDay: number };
    readonly weekInfo?: { readonly firstDay: number };
  }
  const locale: WithWeek = new Intl.Locale(navigator.language);
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1;
}
