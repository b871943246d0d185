/** A day of the calendar as `YYYY-MM-DD`: no time of day, so no time zone ever shifts it. */
export type Day = string;

/** A month as `YYYY-MM`. */
export type Month = string;

const dayForm = /^(\d{4})-(\d{2})-(\d{2})$/;
const monthForm = /^(\d{4})-(\d{2})$/;

/** The same text when it names a day that exists, else null. */
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

/** The day that it is where the person is. */
export function today(now: Date): Day {
  return dayOf(utc(now.getFullYear(), now.getMonth() + 1, now.getDate()));
}

export function monthOf(day: Day): Month {
  return day.slice(0, 7);
}

export function addDays(day: Day, count: number): Day {
  const date = dateOf(day);
  date.setUTCDate(date.getUTCDate() + count);
  return dayOf(date);
}

export function addMonths(month: Month, count: number): Month {
  const date = dateOf(`${month}-01`);
  date.setUTCMonth(date.getUTCMonth() + count);
  return monthOf(dayOf(date));
}

/** The same day of another month, or that month's last day. */
export function addMonthsToDay(day: Day, count: number): Day {
  const month = addMonths(monthOf(day), count);
  const last = Number(addDays(`${addMonths(month, 1)}-01`, -1).slice(8));
  return `${month}-${String(Math.min(Number(day.slice(8)), last)).padStart(2, '0')}`;
}

/**
 * The weeks that show a month, whole, each from the same weekday on.
 * @param firstWeekday 1 (Monday) to 7 (Sunday), as `Intl.Locale` numbers them.
 */
export function weeksOf(month: Month, firstWeekday: number): readonly (readonly Day[])[] {
  const first = `${month}-01`;
  const weekday = dateOf(first).getUTCDay() || 7;
  let day = addDays(first, -((weekday - firstWeekday + 7) % 7));
  const weeks: Day[][] = [];
  do {
    const start = day;
    weeks.push(Array.from({ length: 7 }, (_, i) => addDays(start, i)));
    day = addDays(day, 7);
  } while (monthOf(day) === month);
  return weeks;
}

/** For `Intl.DateTimeFormat` with `timeZone: 'UTC'`. */
export function dateOf(day: Day): Date {
  return new Date(`${day}T00:00:00Z`);
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
  // `Date.UTC` takes the years 0 to 99 for those of the twentieth century.
  date.setUTCFullYear(year, month - 1, day);
  return date;
}
