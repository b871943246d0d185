import type { TabVisibility } from './feed-connection.ts';

/** Whether this tab is seen, as the browser says it. */
export const tabVisibility: TabVisibility = {
  isVisible: () => document.visibilityState === 'visible',
  subscribe: (listener) => {
    document.addEventListener('visibilitychange', listener);
    return () => document.removeEventListener('visibilitychange', listener);
  },
};
