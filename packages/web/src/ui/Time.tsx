import { useSyncExternalStore } from 'react';
import { dayText, fullTime, relativeTime } from '../text/times.ts';

/** A time: relative within a week, in full in the tooltip. */
export function Time({ at }: { readonly at: string | number }) {
  const nowMs = useMinute();
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={fullTime(date.getTime())}>
      {relativeTime(date.getTime(), nowMs)}
    </time>
  );
}

/** The day of a time, which may be in the future. */
export function DayTime({ at }: { readonly at: string | number }) {
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={fullTime(date.getTime())}>
      {dayText(date.getTime())}
    </time>
  );
}

const minuteMs = 60_000;
const listeners = new Set<() => void>();
let nowMs = Date.now();
let timer: ReturnType<typeof setInterval> | null = null;

/** One clock for all times on the page. It ticks only while times are shown. */
function useMinute(): number {
  return useSyncExternalStore(subscribe, () => nowMs);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Not at each subscription: a list would render each of its times twice.
  if (timer === null && Date.now() - nowMs >= minuteMs) nowMs = Date.now();
  timer ??= setInterval(() => {
    nowMs = Date.now();
    for (const each of [...listeners]) each();
  }, minuteMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}
