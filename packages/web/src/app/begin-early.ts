import { locationOf } from '../api/addresses.ts';
import { readSession } from '../api/session.ts';
import { connectionOf } from '../api/workspace-connections.ts';

/**
 * Requests the data of the first page before rendering: the session, and the list of the workspace in the address,
 * unless `index.html` has requested them already. On a slow line, sequential requests are noticeable. Without a session
 * the requests are rejected and the app shows sign-in.
 */
export function beginEarly(pathname: string): void {
  const location = locationOf(pathname);
  if (location.kind === 'elsewhere') return;
  // The page requests it again and reports errors.
  readSession().catch(() => undefined);
  connectionOf(location.workspaceId);
}
