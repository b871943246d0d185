// docs/web.md. The page reloads when another user signs in: drafts of one user must not reach another.
import type { SignedInUser } from '@stoa/client';
import { forgetPaths } from '../store/kept.ts';
import { createStore, useStore } from '../store/store.ts';
import { client, onUnauthorized } from './client.ts';
import { queryClient } from './query-client.ts';
import { openConnections } from './workspace-connections.ts';

export type { SignedInUser } from '@stoa/client';

export type Session =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'nobody' }
  | { readonly kind: 'signed_in'; readonly user: SignedInUser }
  /** The session ended while the page was open. The page stays, and its user can sign in again over it. */
  | { readonly kind: 'signed_out'; readonly user: SignedInUser };

export const session = createStore<Session>({ kind: 'unknown' });

/** No other request extends a session: without this one, a page open for weeks would lose it. */
const prolongMs = 60 * 60_000;
let askedAtMs = Number.NEGATIVE_INFINITY;

let asking: Promise<void> | null = null;

/** Tabs of one browser share a session: each tells the others when its user signs in or out. */
const tabsChannel = 'stoa-session';
let tabs: BroadcastChannel | null = null;

/** Whether a user signed out on this page: its state and pending saves belong to that user. */
let belongedToUser = false;

/**
 * Reads the session, which extends it. Concurrent calls share one request.
 * @throws when the request fails: an unknown session is not a missing one
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
  if (session.get().kind === 'signed_out') return goOn(found.user);
  if (isAnother(found.user)) return reload();
  session.set({ kind: 'signed_in', user: found.user });
}

/**
 * Reads the session every hour, when the page becomes visible after an hour, and when another tab signs in or out. A
 * failed request is retried on the next occasion.
 */
export function keepSession(): () => void {
  const ask = () => readSession().catch(() => undefined);
  const askWhenDue = () => {
    const isDue = performance.now() - askedAtMs >= prolongMs;
    if (isDue && session.get().kind === 'signed_in') void ask();
  };
  const timer = setInterval(askWhenDue, prolongMs / 12);
  window.addEventListener('focus', askWhenDue);
  const channel = new BroadcastChannel(tabsChannel);
  tabs = channel;
  channel.addEventListener('message', () => {
    if (currentUser() !== null) void ask();
  });
  return () => {
    clearInterval(timer);
    window.removeEventListener('focus', askWhenDue);
    channel.close();
    if (tabs === channel) tabs = null;
  };
}

/** After signing in or up on its own page. If another user was signed in before, reloads the page. */
export function signedInAs(user: SignedInUser, next: { readonly address: string; go(): void }): void {
  tabs?.postMessage(null);
  if (belongedToUser || isAnother(user)) {
    ended();
    location.replace(next.address);
    return;
  }
  queryClient.clear();
  askedAtMs = performance.now();
  session.set({ kind: 'signed_in', user });
  askAgain();
  next.go();
}

/** Repeats the requests that were rejected without a session. */
function askAgain(): void {
  for (const { feed, listing } of openConnections()) {
    feed.retry();
    listing.reload();
  }
}

/**
 * After signing in over a page. For the same user, pending work continues. For another user the page reloads, and the
 * drafts of the first stay on the device.
 */
export function signedInAgain(user: SignedInUser): void {
  tabs?.postMessage(null);
  goOn(user);
}

function goOn(user: SignedInUser): void {
  if (isAnother(user)) {
    reload();
    return;
  }
  askedAtMs = performance.now();
  session.set({ kind: 'signed_in', user });
  askAgain();
  void queryClient.invalidateQueries();
}

function isAnother({ id }: SignedInUser): boolean {
  const before = currentUser();
  return before !== null && before.id !== id;
}

/** Notifies listeners first, so that unsaved text is not sent under the next session. */
function reload(): void {
  forgetPaths();
  ended();
  location.reload();
}

/** Ends the session on the server and clears its data on this page. */
export async function signOut(): Promise<void> {
  const outcome = await client.auth.signOut();
  if (outcome.kind === 'wrong_origin') throw new Error(outcome.message);
  forgetPaths();
  belongedToUser = true;
  session.set({ kind: 'nobody' });
  queryClient.clear();
  tabs?.postMessage(null);
}

export function useSession(): Session {
  return useStore(session);
}

/** The user of this page, signed in or out; null while unknown. */
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
