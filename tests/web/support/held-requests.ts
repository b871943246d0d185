import type { Page, Route } from 'playwright-core';

/** Requests that wait until the test releases them. */
export interface HeldRequests {
  /** The number of waiting requests. */
  readonly count: number;
  /** Waits for the next request of the page. */
  next(): Promise<void>;
  /** Releases all waiting requests and stops delaying later ones. */
  release(): Promise<void>;
}

/** Delays the requests of a page that `isHeld` selects, before they reach the server. */
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
        for (const report of asked.splice(0)) report();
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

/** Responses that wait until the test releases them. */
export interface HeldResponses {
  /** Begins to delay responses. */
  hold(): void;
  /** @returns a function that releases the responses that wait now */
  take(): () => void;
  /** Releases all waiting responses and stops delaying later ones. */
  release(): void;
}

/** Longer than a long poll of the feed. The default is the timeout of an action, which is shorter. */
const responseMsMax = 60_000;

/** Delays the responses to the requests that `isHeld` selects. The server has already processed these requests. */
export async function holdResponses(
  page: Page,
  pattern: string | RegExp,
  isHeld: (route: Route) => boolean,
): Promise<HeldResponses> {
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
    const response = await route.fetch({ timeout: responseMsMax }).catch(() => null);
    // The page may be closed before the response arrives. An open page must see the failure: it would wait for ever.
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
