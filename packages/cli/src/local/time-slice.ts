import { setImmediate } from 'node:timers/promises';

const sliceMs = 20;
/** Uptime of this process. `performance` would load a measurement library at each start. */
const nowMs = () => process.uptime() * 1000;

/** Yields to other tasks when synchronous work has run for long enough. */
export interface TimeSlice {
  /** Cheap enough to call between steps far below a millisecond. */
  pass(): Promise<void> | undefined;
}

export function createTimeSlice(): TimeSlice {
  let end = nowMs() + sliceMs;
  return {
    pass() {
      if (nowMs() < end) return undefined;
      return setImmediate(undefined).then(() => {
        end = nowMs() + sliceMs;
      });
    },
  };
}
