import { useEffect, useSyncExternalStore } from 'react';
import { serverAnswers } from '../store/store.ts';
import { shell } from '../text/en/shell.ts';
import './network-status.css';

/**
 * For pages that belong to no workspace, where no feed tells whether the server answers: what the device knows of its
 * network. Controls that need the server follow it.
 */
export function NetworkStatus() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  useEffect(() => {
    serverAnswers.set(isOnline);
    return () => serverAnswers.set(true);
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
