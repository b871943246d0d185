import { useSyncExternalStore } from 'react';

/** Touch targets are higher: on narrow screens, and with a coarse pointer. */
const highRows = '(max-width: 899px), (pointer: coarse)';

export function useRowHeight(): number {
  return useSyncExternalStore(subscribe, () => matchMedia(highRows).matches) ? 44 : 32;
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(highRows);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
