import { placeOf } from '../api/addresses.ts';
import { readSession } from '../api/session.ts';
import { connectionOf } from '../api/workspace-connections.ts';

/**
 * Asks for what the first page will need before anything of it is drawn: who is signed in, and the list of the workspace
 * that the address names, as far as `index.html` has not asked already. On a slow line each question that waits for
 * another one's answer is felt. Whoever is not signed in is refused the position, and asked to sign in.
 */
export function beginEarly(pathname: string): void {
  const place = placeOf(pathname);
  if (place.kind === 'elsewhere') return;
  // Who draws the page asks again, and says what went wrong.
  readSession().catch(() => undefined);
  connectionOf(place.workspaceId);
}
