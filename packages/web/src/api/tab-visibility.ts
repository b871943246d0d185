import type { TabVisibility } from './feed-connection.ts';

/** Whether this tab is visible, by the browser's `visibilityState`. */
export const tabVisibility: TabVisibility = {
  isVisible: () => document.visibilityState === 'visible',
  subscribe: (listener) => {
    document.addEventListener('visibilitychange', listener);
    return () => document.removeEventListener('visibilitychange', listener);
  },
};
