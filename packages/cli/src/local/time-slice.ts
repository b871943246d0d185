import { setImmediate } from 'node:timers/promises';

const sliceMs = 20;

/** Hands the processor on where work that does not wait has lasted long enough. */
export interface TimeSlice {
  /** Cheap: called between steps of well below a millisecond. */
  pass(): Promise<void> | undefined;
}

export function createTimeSlice(): TimeSlice {
  let end = performance.now() + sliceMs;
  return {
    pass() {
      if (performance.now() < end) return undefined;
      return setImmediate(undefined).then(() => {
        end = performance.now() + sliceMs;
      });
    },
  };
}
