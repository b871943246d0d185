import { useEffect, useState } from 'react';

/** Seconds until a moment of `performance.now()`, counted down; 0 when it has passed or there is none. */
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
