import { setImmediate } from 'node:timers/promises';

const sliceMs = 20;
/** Of this process. `performance` brings a library of measurements, which is a part of each start. */
const nowMs = () => process.uptime() * 1000;

/** Hands the processor on where work that does not wait has lasted long enough. */
export interface TimeSlice {
  /** Cheap: called between steps of well below a millisecond. */
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
