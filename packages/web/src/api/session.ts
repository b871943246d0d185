// docs/web.md, docs/decisions/0100-a-page-is-one-persons.md
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

/** Tabs of one browser have one session: here each tells the others that its person signed in or out. */
const tabsChannel = 'stoa-session';
let tabs: BroadcastChannel | null = null;

/** Somebody signed out on this page: what it remembers, and what still waits to be saved, is theirs. */
let wasSomebodys = false;

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
  if (session.get().kind === 'signed_out') return goOn(found.user);
  if (isAnother(found.user)) return loadAnew();
  session.set({ kind: 'signed_in', user: found.user });
}

/**
 * Asks hourly, when the page is looked at again after an hour, and when another tab has signed in or out. What fails is
 * asked at the next occasion.
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

/** After signing in or up on a page of its own. Where somebody was signed in before, all begins anew. */
export function signedInAs(user: SignedInUser, next: { readonly address: string; go(): void }): void {
  tabs?.postMessage(null);
  if (wasSomebodys || isAnother(user)) {
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
  tabs?.postMessage(null);
  goOn(user);
}

function goOn(user: SignedInUser): void {
  if (isAnother(user)) {
    loadAnew();
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

/** Whoever waits to save something hears first that its person's session has ended: a page that is closed sends it. */
function loadAnew(): void {
  ended();
  location.reload();
}

/** Ends the session on the server and forgets on this page what it showed. */
export async function signOut(): Promise<void> {
  const outcome = await client.auth.signOut();
  if (outcome.kind === 'wrong_origin') throw new Error(outcome.message);
  wasSomebodys = true;
  session.set({ kind: 'nobody' });
  queryClient.clear();
  tabs?.postMessage(null);
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
