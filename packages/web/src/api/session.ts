import { StoaApiError } from '@stoa/client';
import { createStore, useStore } from '../store/store.ts';
import { client, onUnauthorized } from './client.ts';
import { openConnections } from './workspace-connections.ts';

export type SignedInUser = Awaited<ReturnType<typeof client.me>>['user'];

export type Session =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'nobody' }
  | { readonly kind: 'signed_in'; readonly user: SignedInUser }
  /** The session ended while the page was open: what is on it stays, and its person can sign in over it. */
  | { readonly kind: 'signed_out'; readonly user: SignedInUser };

export const session = createStore<Session>({ kind: 'unknown' });

/** Asks who is signed in. Failures other than "nobody" are thrown: not knowing is not the same as nobody. */
export async function readSession(): Promise<Session> {
  try {
    const { user } = await client.me();
    session.set({ kind: 'signed_in', user });
  } catch (error) {
    if (!(error instanceof StoaApiError) || error.status !== 401) throw error;
    const before = session.get();
    if (before.kind === 'unknown') session.set({ kind: 'nobody' });
  }
  return session.get();
}

/** After a sign-in over the page: what waited for it goes on. */
export function signedInAgain(user: SignedInUser): void {
  session.set({ kind: 'signed_in', user });
  for (const { feed, listing } of openConnections()) {
    feed.retry();
    listing.reload();
  }
}

export function useSession(): Session {
  return useStore(session);
}

/** The person on whose behalf this page acts, signed out or not; null before that is known. */
export function currentUser(): SignedInUser | null {
  const now = session.get();
  return now.kind === 'signed_in' || now.kind === 'signed_out' ? now.user : null;
}

onUnauthorized(() => {
  const now = session.get();
  if (now.kind === 'signed_in') session.set({ kind: 'signed_out', user: now.user });
});
