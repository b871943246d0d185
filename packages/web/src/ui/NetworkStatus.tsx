import { useEffect, useSyncExternalStore } from 'react';
import { serverResponds } from '../store/store.ts';
import { shell } from '../text/en/shell.ts';
import './network-status.css';

/**
 * For pages without a workspace, where no feed reports whether the server responds: uses the network state of the
 * device. Controls that need the server follow it.
 */
export function NetworkStatus() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  useEffect(() => {
    serverResponds.set(isOnline);
    return () => serverResponds.set(true);
  }, [isOnline]);
  return (
    <div role="status" aria-label={shell.connection} className="network-status">
      {isOnline ? '' : shell.offlineHere}
    </div>
  );
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}
