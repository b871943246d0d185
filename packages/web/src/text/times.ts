/** Times and dates in words, in the browser's language for dates (interface texts are English). */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const weekMs = 7 * dayMs;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const fullFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' });
const clockFormat = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const momentFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const dayFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });

/**
 * `2 hours ago` within a week, then the day. If the local clock is behind the server's, no time appears to be in the
 * future.
 */
export function relativeTime(atMs: number, nowMs: number): string {
  const ageMs = Math.max(0, nowMs - atMs);
  if (ageMs < minuteMs) return 'just now';
  if (ageMs < hourMs) return relative.format(-Math.floor(ageMs / minuteMs), 'minute');
  if (ageMs < dayMs) return relative.format(-Math.floor(ageMs / hourMs), 'hour');
  if (ageMs < weekMs) return relative.format(-Math.floor(ageMs / dayMs), 'day');
  return dayFormat.format(atMs);
}

/** `Friday, November 20, 2026 at 2:30:12 PM`. */
export function fullTime(atMs: number): string {
  return fullFormat.format(atMs);
}

/** `2:30 PM` for today, else `Nov 20, 2026, 2:30 PM`. */
export function momentText(atMs: number, nowMs: number): string {
  const isToday = dayFormat.format(atMs) === dayFormat.format(nowMs);
  return (isToday ? clockFormat : momentFormat).format(atMs);
}

/** `Nov 20, 2026`. */
export function dayText(atMs: number): string {
  return dayFormat.format(atMs);
}
