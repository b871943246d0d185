/** A day of the calendar as `YYYY-MM-DD`, without a time, so time zones do not shift it. */
export type Day = string;

/** A month as `YYYY-MM`. */
export type Month = string;

/** Years have four digits, as in front matter. */
export const firstDay: Day = '0000-01-01';
export const lastDay: Day = '9999-12-31';

const dayForm = /^(\d{4})-(\d{2})-(\d{2})$/;
const monthForm = /^(\d{4})-(\d{2})$/;

/** Returns the text if it is an existing day, else null. */
export function parseDay(text: string): Day | null {
  const [, year, month, day] = dayForm.exec(text) ?? [];
  if (year === undefined) return null;
  const date = utc(Number(year), Number(month), Number(day));
  return dayOf(date) === text ? text : null;
}

export function parseMonth(text: string): Month | null {
  const month = Number(monthForm.exec(text)?.[2]);
  return month >= 1 && month <= 12 ? text : null;
}

/** The current day in the user's time zone. */
export function today(now: Date): Day {
  return dayOf(utc(now.getFullYear(), now.getMonth() + 1, now.getDate()));
}

export function monthOf(day: Day): Month {
  return day.slice(0, 7);
}

/** Clamped to the range of the calendar. */
export function addDays(day: Day, count: number): Day {
  return dayAfter(day, count) ?? (count < 0 ? firstDay : lastDay);
}

/** Clamped to the range of the calendar. */
export function addMonths(month: Month, count: number): Month {
  const date = dateOf(`${month}-01`);
  date.setUTCMonth(date.getUTCMonth() + count);
  return monthOf(dayWithin(date) ?? (count < 0 ? firstDay : lastDay));
}

/** The same day of another month, or that month's last day. */
export function addMonthsToDay(day: Day, count: number): Day {
  const month = addMonths(monthOf(day), count);
  const date = dateOf(`${month}-01`);
  date.setUTCMonth(date.getUTCMonth() + 1, 0);
  const last = date.getUTCDate();
  return `${month}-${String(Math.min(Number(day.slice(8)), last)).padStart(2, '0')}`;
}

/**
 * The full weeks of a month, each from the same weekday on. Null for a day outside the range of the calendar.
 * @param firstWeekday 1 (Monday) to 7 (Sunday), as in `Intl.Locale`
 */
export function weeksOf(month: Month, firstWeekday: number): readonly (readonly (Day | null)[])[] {
  const first = `${month}-01`;
  const weekday = dateOf(first).getUTCDay() || 7;
  let start = -((weekday - firstWeekday + 7) % 7);
  const weeks: (Day | null)[][] = [];
  do {
    weeks.push(Array.from({ length: 7 }, (_, i) => dayAfter(first, start + i)));
    start += 7;
  } while (dayAfter(first, start)?.startsWith(month));
  return weeks;
}

/** For `Intl.DateTimeFormat` with `timeZone: 'UTC'`. */
export function dateOf(day: Day): Date {
  return new Date(`${day}T00:00:00Z`);
}

/** Null outside the range of the calendar. */
function dayAfter(day: Day, count: number): Day | null {
  const date = dateOf(day);
  date.setUTCDate(date.getUTCDate() + count);
  return dayWithin(date);
}

function dayWithin(date: Date): Day | null {
  const year = date.getUTCFullYear();
  return year >= 0 && year <= 9999 ? dayOf(date) : null;
}

function dayOf(date: Date): Day {
  const year = String(date.getUTCFullYear()).padStart(4, '0');
  return `${year}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

function utc(year: number, month: number, day: number): Date {
  const date = new Date(0);
  // `Date.UTC` maps the years 0 to 99 to the twentieth century.
  date.setUTCFullYear(year, month - 1, day);
  return date;
}
