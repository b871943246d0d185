import { nextTick } from 'node:process';
import { type Random, seededRandom } from '../../../../tests/support/random.ts';
import type { Pace } from '../../src/engine/ports/pace.ts';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly wake: () => void;
}

/** Clock and random source of one simulation. The same seed gives the same run. */
export interface SimulatedTime {
  readonly random: Random;
  /** Milliseconds since the simulation began. */
  now(): number;
  /** Creates the clock of one machine, which may be wrong and jump. */
  createPace(wallOffsetMs?: number): SimulatedPace;
  /** Resolves after `ms` of simulated time, after all timers that are due earlier. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Advances time until `until` is true or `maxMs` have passed.
   * @returns whether `until` came true.
   */
  run(maxMs: number, until?: () => boolean): Promise<boolean>;
}

export interface SimulatedPace extends Pace {
  /** Moves the machine's clock by `ms`. */
  jump(ms: number): void;
  /** Ends the process: none of its waits ever resolves. */
  end(): void;
  /** Waits for a short random time, like a step of a disk or network. */
  turn(): Promise<void>;
}

const epoch = Date.parse('2026-11-20T12:00:00Z');
/** Ticks per timer. All ready promises run in each tick, as nothing waits for a real disk, network or clock. */
const roundsAtOnce = 2;

export function createSimulatedTime(seed: number): SimulatedTime {
  const random = seededRandom(seed);
  let nowMs = 0;
  let order = 0;
  const timers: Timer[] = [];
  const add = (ms: number, wake: () => void): Timer => {
    order += 1;
    const timer = { at: nowMs + Math.max(0, Math.ceil(ms)), order, wake };
    const location = timers.findLastIndex((each) => each.at <= timer.at) + 1;
    timers.splice(location, 0, timer);
    return timer;
  };
  const drop = (timer: Timer) => {
    const location = timers.indexOf(timer);
    if (location !== -1) timers.splice(location, 1);
  };
  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      // Node prints a warning.
      if (ms < 0) throw new RangeError(`a pause of ${ms} ms`);
      if (signal?.aborted === true) return resolve();
      const timer = add(ms, () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      });
      const abort = () => {
        drop(timer);
        resolve();
      };
      signal?.addEventListener('abort', abort, { once: true });
    });
  const rest = async () => {
    // `nextTick` instead of an event loop iteration, which would take longer than the work of the timer.
    for (let round = 0; round < roundsAtOnce; round += 1)
      await new Promise<void>((resolve) => nextTick(resolve));
  };

  return {
    random,
    now: () => nowMs,
    sleep,
    async run(maxMs, until = () => false) {
      const end = nowMs + maxMs;
      await rest();
      while (!until()) {
        const next = timers[0];
        if (next === undefined || next.at > end) {
          nowMs = end;
          return until();
        }
        timers.shift();
        nowMs = next.at;
        next.wake();
        await rest();
      }
      return true;
    },
    createPace(wallOffsetMs = 0) {
      let offset = wallOffsetMs;
      let isOver = false;
      let ids = 0;
      const machine = random.below(2 ** 30).toString(36);
      const alive = () => (isOver ? new Promise<void>(() => {}) : undefined);
      return {
        now: () => nowMs,
        wallNow: () => epoch + nowMs + offset,
        random: () => random.below(2 ** 30) / 2 ** 30,
        newId: () => {
          ids += 1;
          return `${machine}-${ids}`;
        },
        async sleep(ms, signal) {
          await alive();
          await sleep(ms, signal);
          await alive();
        },
        jump: (ms) => {
          offset += ms;
        },
        end: () => {
          isOver = true;
        },
        async turn() {
          await alive();
          await sleep(random.below(40));
          await alive();
        },
      };
    },
  };
}
