import { useEffect, useState } from 'react';

/** Counts down the seconds to a time of `performance.now()`; 0 once it has passed or without a time. */
export function useCountdown(untilMs: number | null): number {
  const [nowMs, setNowMs] = useState(() => performance.now());
  useEffect(() => {
    if (untilMs === null) return;
    setNowMs(performance.now());
    const timer = setInterval(() => {
      setNowMs(performance.now());
      if (performance.now() >= untilMs) clearInterval(timer);
    }, 1000);
    return () => clearInterval(timer);
  }, [untilMs]);
  return untilMs === null ? 0 : Math.max(0, Math.ceil((untilMs - nowMs) / 1000));
}
