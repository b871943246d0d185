import type { Page, Route } from 'playwright-core';

/** Requests that wait until the test lets them go. */
export interface HeldRequests {
  /** How many wait. */
  readonly count: number;
  /** The next one has been asked for. */
  next(): Promise<void>;
  /** All go on, and so does whatever comes later. */
  release(): Promise<void>;
}

/** From now on holds the requests of a page that `isHeld` names, before they reach the server. */
export async function holdRequests(
  page: Page,
  pattern: string | RegExp,
  isHeld: (route: Route) => boolean,
): Promise<HeldRequests> {
  let held: (() => void)[] | null = [];
  let asked: (() => void)[] = [];
  const take = async (route: Route): Promise<void> => {
    if (held !== null && isHeld(route)) {
      const waiting = held;
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        for (const tell of asked.splice(0)) tell();
      });
    }
    await route.continue().catch(() => {});
  };
  await page.route(pattern, take);
  return {
    get count() {
      return held?.length ?? 0;
    },
    next: async () => {
      if ((held?.length ?? 0) === 0) await new Promise<void>((resolve) => asked.push(resolve));
    },
    release: async () => {
      const waiting = held ?? [];
      held = null;
      asked = [];
      for (const go of waiting) go();
    },
  };
}

export const isPut = (route: Route): boolean => route.request().method() === 'PUT';

/** Answers that wait until the test lets them come. */
export interface HeldAnswers {
  /** From now on they wait. */
  hold(): void;
  /** @returns lets those come that wait now */
  take(): () => void;
  /** All come, and so does whatever is asked later. */
  release(): void;
}

/** Longer than the service holds a request for the feed: without it the time of an action counts, which is shorter. */
const answerMsMax = 60_000;

/** Holds the answers to those requests of a page that `isHeld` names: the server has carried them out by then. */
export async function holdAnswers(
  page: Page,
  pattern: string | RegExp,
  isHeld: (route: Route) => boolean,
): Promise<HeldAnswers> {
  let waiting: (() => void)[] = [];
  let holds = false;
  const take = (): (() => void) => {
    const taken = waiting;
    waiting = [];
    return () => {
      for (const go of taken) go();
    };
  };
  await page.route(pattern, async (route) => {
    if (!isHeld(route)) return route.continue();
    const response = await route.fetch({ timeout: answerMsMax }).catch(() => null);
    // The page may be gone before its answer is there. If it is not it has to hear that none comes: it would wait for one.
    if (response === null) return route.abort().catch(() => {});
    if (holds) await new Promise<void>((resolve) => waiting.push(resolve));
    await route.fulfill({ response }).catch(() => {});
  });
  return {
    hold: () => {
      holds = true;
    },
    take,
    release: () => {
      holds = false;
      take()();
    },
  };
}
