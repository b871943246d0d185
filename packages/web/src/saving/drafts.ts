import { createStore, del, entries, get, set, type UseStore } from 'idb-keyval';
import type { CopyName } from './messages.ts';

/** A text that this device keeps until the server has it. */
export interface StoredDraft {
  readonly text: string;
  readonly baseVersion: number;
  readonly baseHash: string;
  readonly contentType: string;
  readonly sentHash: string | null;
  readonly copy: CopyName | null;
  /** Milliseconds since the epoch. */
  readonly savedAt: number;
}

export interface DraftLocation {
  readonly userId: string;
  readonly workspaceId: string;
  readonly path: string;
  /** Two tabs are two editors, each with its own draft. */
  readonly editorId: string;
}

export interface PlacedDraft {
  readonly location: DraftLocation;
  readonly draft: StoredDraft;
}

const keyOf = ({ userId, workspaceId, path, editorId }: DraftLocation) => [
  userId,
  workspaceId,
  path,
  editorId,
];

let opened: UseStore | null = null;
function store(): UseStore {
  opened ??= createStore('stoa-drafts', 'drafts');
  return opened;
}

export async function storeDraft(location: DraftLocation, draft: StoredDraft): Promise<void> {
  await set(keyOf(location), draft, store());
}

export async function dropDraft(location: DraftLocation): Promise<void> {
  await del(keyOf(location), store());
}

export async function moveDraft(from: DraftLocation, to: DraftLocation): Promise<void> {
  const draft = await get<StoredDraft>(keyOf(from), store());
  if (draft === undefined) return;
  await storeDraft(to, draft);
  await dropDraft(from);
}

/** All drafts of a user on this device, newest first. */
export async function draftsOf(userId: string): Promise<readonly PlacedDraft[]> {
  const all = await entries<IDBValidKey, StoredDraft>(store());
  const own = all.flatMap(([key, draft]) => {
    if (!Array.isArray(key) || key[0] !== userId) return [];
    const [, workspaceId = '', path = '', editorId = ''] = key.map(String);
    return [{ location: { userId, workspaceId, path, editorId }, draft }];
  });
  return own.sort((one, other) => other.draft.savedAt - one.draft.savedAt);
}

/** Tries to get the lock of a page that is closing: 20 × 150 ms. */
const lockTriesMax = 20;
const lockPauseMs = 150;
/** Pages ask here which editors are alive. */
const editorsChannel = 'stoa-editors';
/** Without locks, an editor counts as alive this long after its last draft. */
const openDocumentMs = 10_000;

/** Locks a new editor's id for the lifetime of its page, so that no other page takes its draft. */
export function holdEditor(editorId: string): () => void {
  const { locks } = navigator;
  // Not available over plain http, except on localhost.
  if (locks === undefined) return () => undefined;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  void locks.request(lockName(editorId), () => released);
  return responding(editorId, release);
}

/** Locks the id of an editor whose page is gone; null if it is alive. */
async function takeEditor(locks: LockManager, editorId: string): Promise<(() => void) | null> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const isFree = await new Promise<boolean>((resolve) => {
    void locks.request(lockName(editorId), { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock === null ? undefined : released;
    });
  });
  return isFree ? responding(editorId, release) : null;
}

/** Replies that the editor is alive. Returns a function that stops this and releases the lock. */
function responding(editorId: string, release: () => void): () => void {
  const channel = new BroadcastChannel(editorsChannel);
  channel.addEventListener('message', ({ data }: MessageEvent<EditorsMessage>) => {
    if (data.kind === 'ask' && data.editorIds.includes(editorId))
      channel.postMessage({ kind: 'lives', editorId } satisfies EditorsMessage);
  });
  return () => {
    channel.close();
    release();
  };
}

type EditorsMessage =
  | { readonly kind: 'ask'; readonly editorIds: readonly string[] }
  | { readonly kind: 'lives'; readonly editorId: string };

/** Collects the editors that reply, as their replies arrive. */
function askWhoLives(editorIds: readonly string[]): { readonly alive: ReadonlySet<string>; end(): void } {
  const alive = new Set<string>();
  const channel = new BroadcastChannel(editorsChannel);
  channel.addEventListener('message', ({ data }: MessageEvent<EditorsMessage>) => {
    if (data.kind === 'lives') alive.add(data.editorId);
  });
  channel.postMessage({ kind: 'ask', editorIds } satisfies EditorsMessage);
  return { alive, end: () => channel.close() };
}

/** A draft that no other page takes until `release`. */
export interface TakenDraft extends PlacedDraft {
  release(): void;
}

/** Takes the newest draft of a file whose editor is gone. If several pages open the file, only one gets it. */
export async function takeDraft(
  { userId, workspaceId, path }: Omit<DraftLocation, 'editorId'>,
  nowMs: number,
): Promise<TakenDraft | null> {
  const own = (await draftsOf(userId)).filter(
    ({ location }) => location.workspaceId === workspaceId && location.path === path,
  );
  const { locks } = navigator;
  if (locks === undefined) {
    const old = own.find(({ draft }) => nowMs - draft.savedAt > openDocumentMs);
    return old === undefined ? null : { ...old, release: () => undefined };
  }
  if (own.length === 0) return null;
  // A page that reloads or has just closed releases its lock a moment later, and sends no reply until then.
  const asked = askWhoLives(own.map(({ location }) => location.editorId));
  try {
    for (let tries = 0; tries < lockTriesMax; tries += 1) {
      if (tries > 0) await new Promise((resolve) => setTimeout(resolve, lockPauseMs));
      for (const { location } of own) {
        const release = await takeEditor(locks, location.editorId);
        if (release === null) continue;
        // Its page may have stored more, or saved the text, before it ended.
        const draft = await get<StoredDraft>(keyOf(location), store());
        if (draft !== undefined) return { location, draft, release };
        release();
      }
      if (own.every(({ location }) => asked.alive.has(location.editorId))) return null;
    }
    return null;
  } finally {
    asked.end();
  }
}

function lockName(editorId: string): string {
  return `stoa-editor ${editorId}`;
}
