import type { SignedInUser } from '@stoa/client';
import { createStore, useStore } from '../store/store.ts';
import { client, onUnauthorized } from './client.ts';
import { queryClient } from './query-client.ts';
import { openConnections } from './workspace-connections.ts';

export type { SignedInUser } from '@stoa/client';

export type Session =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'nobody' }
  | { readonly kind: 'signed_in'; readonly user: SignedInUser }
  /** The session ended while the page was open: what is on it stays, and its person can sign in over it. */
  | { readonly kind: 'signed_out'; readonly user: SignedInUser };

export const session = createStore<Session>({ kind: 'unknown' });

/** Nothing else prolongs a session: without this question a page that is open for weeks would lose its own. */
const prolongMs = 60 * 60_000;
let askedAtMs = Number.NEGATIVE_INFINITY;

let asking: Promise<void> | null = null;

/**
 * Asks who is signed in, which prolongs the session. What fails is thrown: not knowing is not the same as nobody. Asked
 * again before the answer is there, it waits for that one.
 */
export function readSession(): Promise<void> {
  asking ??= askSession().finally(() => {
    asking = null;
  });
  return asking;
}

async function askSession(): Promise<void> {
  const found = await client.auth.session();
  askedAtMs = performance.now();
  if (found.kind === 'signed_out') return ended();
  const before = currentUser();
  if (before !== null && before.id !== found.user.id) return location.reload();
  session.set({ kind: 'signed_in', user: found.user });
}

/** Asks hourly, and when the page is looked at again after an hour. What fails is asked at the next occasion. */
export function keepSession(): () => void {
  const ask = () => {
    const isDue = performance.now() - askedAtMs >= prolongMs;
    if (isDue && session.get().kind === 'signed_in') readSession().catch(() => undefined);
  };
  const timer = setInterval(ask, prolongMs / 12);
  window.addEventListener('focus', ask);
  return () => {
    clearInterval(timer);
    window.removeEventListener('focus', ask);
  };
}

/** After signing in or up on a page of its own. What another person was shown here is forgotten. */
export function signedInAs(user: SignedInUser): void {
  queryClient.clear();
  askedAtMs = performance.now();
  session.set({ kind: 'signed_in', user });
  askAgain();
}

/** What was refused while nobody was signed in. */
function askAgain(): void {
  for (const { feed, listing } of openConnections()) {
    feed.retry();
    listing.reload();
  }
}

/**
 * After signing in over a page. The same person: what waited goes on. Another person: the page is loaded anew as theirs,
 * and what the first one typed stays on the device for the first one.
 */
export function signedInAgain(user: SignedInUser): void {
  if (currentUser()?.id !== user.id) {
    location.reload();
    return;
  }
  askedAtMs = performance.now();
  session.set({ kind: 'signed_in', user });
  askAgain();
  void queryClient.invalidateQueries();
}

/** Ends the session on the server and forgets on this page what it showed. */
export async function signOut(): Promise<void> {
  const outcome = await client.auth.signOut();
  if (outcome.kind === 'wrong_origin') throw new Error(outcome.message);
  session.set({ kind: 'nobody' });
  queryClient.clear();
}

export function useSession(): Session {
  return useStore(session);
}

/** The person on whose behalf this page acts, signed out or not; null before that is known. */
export function currentUser(): SignedInUser | null {
  const now = session.get();
  return now.kind === 'signed_in' || now.kind === 'signed_out' ? now.user : null;
}

function ended(): void {
  const user = currentUser();
  session.set(user === null ? { kind: 'nobody' } : { kind: 'signed_out', user });
}

onUnauthorized(() => {
  if (session.get().kind === 'signed_in') ended();
});
