import { useSyncExternalStore } from 'react';
import { fullTime, relativeTime } from '../text/times.ts';

/** A time: relative within a week, the whole of it in the tooltip. */
export function Time({ at }: { readonly at: string | number }) {
  const nowMs = useMinute();
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={fullTime(date.getTime())}>
      {relativeTime(date.getTime(), nowMs)}
    </time>
  );
}

const minuteMs = 60_000;
const listeners = new Set<() => void>();
let nowMs = Date.now();
let timer: ReturnType<typeof setInterval> | null = null;

/** One clock for all times on the page, which ticks only while some are shown. */
function useMinute(): number {
  return useSyncExternalStore(subscribe, () => nowMs);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  nowMs = Date.now();
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
