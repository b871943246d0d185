import type { ServiceDeps } from '../service/service-deps.ts';
import type { SearchObserver } from './traces.ts';

type Searches = Pick<ServiceDeps, 'currentFiles' | 'contentScanner'>;

/** Reports the slow parts of a search to the observer. */
export function traceSearches(
  { currentFiles, contentScanner }: Searches,
  observer: SearchObserver,
): Searches {
  return {
    currentFiles: {
      ticks: currentFiles.ticks,
      read: (workspaceId) => observer.during('paths', () => currentFiles.read(workspaceId)),
    },
    contentScanner: {
      searching: (workspaceId, search) =>
        observer.during('contents', () => contentScanner.searching(workspaceId, search)),
      scan: (workspaceId, job) => observer.during('scan', () => contentScanner.scan(workspaceId, job)),
      examine: (workspaceId, job) => observer.during('scan', () => contentScanner.examine(workspaceId, job)),
    },
  };
}
