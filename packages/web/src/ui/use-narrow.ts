import { useSyncExternalStore } from 'react';

/** Below this width the navigation is a drawer, and panels are sheets. */
const narrowQuery = '(max-width: 899px)';

export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(narrowQuery).matches);
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(narrowQuery);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
