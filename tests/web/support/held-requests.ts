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
