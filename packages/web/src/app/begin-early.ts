import { placeOf } from '../api/addresses.ts';
import { lastWorkspace } from '../api/last-workspace.ts';
import { readSession } from '../api/session.ts';
import { connectionOf } from '../api/workspace-connections.ts';

/**
 * Asks for what the first page will need before anything of it is drawn: who is signed in, and the list of the workspace
 * that the address names, as far as `index.html` has not asked already. On a slow line each question that waits for
 * another one's answer is felt. Only a workspace that was shown on this device before is asked for: whoever is new here
 * has to sign in first.
 */
export function beginEarly(pathname: string): void {
  const place = placeOf(pathname);
  if (place.kind === 'elsewhere') return;
  // Who draws the page asks again, and says what went wrong.
  readSession().catch(() => undefined);
  if (place.workspaceId === lastWorkspace.get()) connectionOf(place.workspaceId);
}
