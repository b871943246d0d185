import { StoaApiError } from '@stoa/client';
import type { ChangePage, MemberRecord } from '@stoa/contract';
import { fileNameOf } from '@stoa/core';
import { client } from '../api/client.ts';
import { decodeText } from '../api/decode-text.ts';
import { whoNow } from '../api/people.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { ReadFile } from '../api/read-file.ts';
import { currentUser, session } from '../api/session.ts';
import { sha256Hex } from '../api/sha256.ts';
import { unsavedTexts } from '../api/unsaved-texts.ts';
import { holdWorkspace } from '../api/workspace-connections.ts';
import { saving as texts } from '../text/en/saving.ts';
import { downloadText } from '../ui/download-text.ts';
import { holdEditor, type TakenDraft, takeDraft } from './drafts.ts';
import type { FeedChange, Stepped } from './messages.ts';
import { openFile, openWithDraft } from './open.ts';
import { openDocuments } from './open-documents.ts';
import { readDraft } from './read-draft.ts';
import { type EditorDocuments, RunningEngine } from './run-engine.ts';
import { say } from './say.ts';
import type { FileText } from './state.ts';

export type OpenedEngine<Doc> =
  | {
      readonly kind: 'opened';
      readonly engine: RunningEngine<Doc>;
      readonly restored: RestoredText<Doc> | null;
    }
  | { readonly kind: 'not_text' }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'not_found' };

/** A text restored from this device. */
export interface RestoredText<Doc> {
  readonly savedAt: number;
  /** The kept text. */
  readonly doc: Doc;
  /** The server's text at the time of restoring, for users who discard the draft. */
  readonly base: Doc;
}

/** The engines of this page, by workspace and path. They outlive their page until everything is saved. */
export function createEngines<Doc>(documents: EditorDocuments<Doc>) {
  const engines = new Set<RunningEngine<Doc>>();
  const opening = new Map<string, Promise<OpenedEngine<Doc>>>();

  const findOpen = (workspaceId: string, path: string) =>
    [...engines].find((engine) => engine.workspaceId === workspaceId && engine.state.path === path);

  function publish(): void {
    const next = [...engines]
      .filter((engine) => engine.isDirty)
      .map((engine) => ({
        workspaceId: engine.workspaceId,
        path: engine.state.path,
        isOpen: !engine.state.isLeft,
        download: () => {
          const { path, doc } = engine.state;
          downloadText(fileNameOf(path), documents.toText(doc));
        },
      }));
    // Runs at every key, so subscribers are notified only when the list has changed.
    if (JSON.stringify(next) !== JSON.stringify(unsavedTexts.get())) unsavedTexts.set(next);
  }

  function keep(engine: RunningEngine<Doc>): void {
    engines.add(engine);
    openDocuments.set([...engines]);
    const unsubscribe = engine.store.subscribe(() => {
      publish();
      if (!engine.isFinished) return;
      engines.delete(engine);
      if (engine.state.hold === null) rememberRead(engine);
      openDocuments.set([...engines]);
      engine.close();
      publish();
    });
    engine.onClose(unsubscribe);
    for (const end of [watchPage(engine), watchSession(engine)]) engine.onClose(end);
  }

  async function open(workspaceId: string, path: string): Promise<OpenedEngine<Doc>> {
    const user = currentUser();
    if (user === null) return { kind: 'not_found' };
    const held = holdWorkspace(workspaceId);
    const { feed } = held.connection;
    let stopListening = () => {};
    let taken: TakenDraft | null = null;
    try {
      const seq = await feed.position();
      // Collects changes from the feed while the file is being read.
      const missed: ChangePage['changes'][number][] = [];
      let missedSeq = seq;
      let report = (changes: ChangePage['changes'], nextSeq: number) => {
        missed.push(...changes);
        missedSeq = nextSeq;
      };
      stopListening = feed.subscribe({ page: ({ changes, nextSeq }) => report(changes, nextSeq) });
      const [, read] = await Promise.all([
        loadMembers(workspaceId),
        readNow<Doc>(workspaceId, path, seq, documents),
      ]);
      const nameOf = (actor: Parameters<typeof whoNow>[0]) =>
        actor.actorId === user.id && actor.actorKeyId === null
          ? texts.youElsewhere
          : whoNow(actor, knownMembers(workspaceId)).name;
      if (read.kind !== 'file') {
        held.release();
        return read;
      }
      const location = { userId: user.id, workspaceId, path };
      const draft = await takeDraft(location, Date.now()).catch(() => null);
      taken = draft;
      const editorId = draft?.location.editorId ?? newId();
      const around = { feed, documents, location: { ...location, editorId }, nameOf, announce: say<Doc> };
      const opened = { path, contentType: read.contentType, file: read.file };
      const stepped: Stepped<Doc> & { readonly isBack?: boolean } =
        draft === null
          ? { state: openFile(opened), effects: [] }
          : openWithDraft(
              opened,
              await readDraft(draft, read.file, documents, nameOf),
              Date.now(),
              documents,
            );
      const engine = new RunningEngine<Doc>(around, stepped.state);
      engine.onClose(draft === null ? holdEditor(editorId) : draft.release);
      engine.onClose(held.release);
      report = () => undefined;
      keep(engine);
      engine.start(stepped);
      if (missed.length > 0) {
        const changes = missed.map(
          ({ contentHash: hash, movedFrom = null, ...change }): FeedChange => ({
            ...change,
            hash,
            movedFrom,
            who: nameOf(change),
            isOwn: false,
          }),
        );
        engine.notify({ kind: 'feed_changes', changes, nextSeq: missedSeq });
      }
      const isBack = draft !== null && stepped.isBack === true;
      const restored = isBack
        ? { savedAt: draft.draft.savedAt, doc: stepped.state.doc, base: read.file.doc }
        : null;
      return { kind: 'opened', engine, restored };
    } catch (error) {
      taken?.release();
      held.release();
      throw error;
    } finally {
      stopListening();
    }
  }

  return {
    /** The engine of a file: an existing one or a new one. */
    async open(workspaceId: string, path: string): Promise<OpenedEngine<Doc>> {
      const engine = findOpen(workspaceId, path);
      if (engine !== undefined) return { kind: 'opened', engine, restored: null };
      const key = `${workspaceId} ${path}`;
      const pending = opening.get(key) ?? open(workspaceId, path).finally(() => opening.delete(key));
      opening.set(key, pending);
      return pending;
    },
    findOpen,
  };
}

/** Updates the query cache with the saved text, so that Read mode does not show the text from before the edit. */
function rememberRead<Doc>({ workspaceId, state, documents }: RunningEngine<Doc>): void {
  const { version, hash: contentHash, doc } = state.base;
  const text = documents.toText(doc);
  const bytes = new TextEncoder().encode(text);
  queryClient.setQueryData<ReadFile>(queryKeys.file(workspaceId, state.path), {
    version,
    contentType: state.contentType,
    contentHash,
    bytes,
    decoded: { kind: 'text', text },
  });
}

type ReadNow<Doc> =
  | { readonly kind: 'file'; readonly contentType: string; readonly file: FileText<Doc> }
  | { readonly kind: 'not_text' | 'too_large' | 'not_found' };

async function readNow<Doc>(
  workspaceId: string,
  path: string,
  seq: number,
  documents: EditorDocuments<Doc>,
): Promise<ReadNow<Doc>> {
  try {
    const file = await client.readFile(workspaceId, path);
    if (file.kind !== 'file') throw new Error('The file was not sent');
    const { version, contentType } = file;
    const bytes = new Uint8Array(await file.bytes());
    const decoded = decodeText(bytes);
    if (decoded.kind !== 'text') return decoded;
    const hash = await sha256Hex(bytes);
    return { kind: 'file', contentType, file: { version, hash, doc: documents.fromText(decoded.text), seq } };
  } catch (error) {
    const isHidden = error instanceof StoaApiError && (error.status === 404 || error.status === 403);
    if (isHidden) return { kind: 'not_found' };
    throw error;
  }
}

/** Names are only for display: without them the text can still be edited. */
async function loadMembers(workspaceId: string): Promise<void> {
  await queryClient.prefetchQuery({
    queryKey: queryKeys.members(workspaceId),
    queryFn: async () => (await client.members(workspaceId)).members,
  });
}

function knownMembers(workspaceId: string): readonly MemberRecord[] {
  return queryClient.getQueryData(queryKeys.members(workspaceId)) ?? [];
}

/** Reports when the page is hidden, shown, closed, or loses the focus. */
function watchPage<Doc>(engine: RunningEngine<Doc>): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const changed = () => engine.notify(document.hidden ? { kind: 'hidden' } : { kind: 'shown', page: false });
  document.addEventListener('visibilitychange', changed, { signal });
  addEventListener('pagehide', () => engine.notify({ kind: 'closed' }), { signal });
  addEventListener('focus', () => engine.notify({ kind: 'shown', page: false }), { signal });
  addEventListener('blur', () => engine.notify({ kind: 'left', page: false }), { signal });
  addEventListener('beforeunload', (event) => (engine.isAtRisk ? event.preventDefault() : undefined), {
    signal,
  });
  return () => ending.abort();
}

function watchSession<Doc>(engine: RunningEngine<Doc>): () => void {
  let before = session.get();
  return session.subscribe(() => {
    const now = session.get();
    if (now.kind !== 'signed_in') engine.notify({ kind: 'signed_out' });
    else if (before.kind === 'signed_out')
      engine.notify({ kind: 'signed_in', isSamePerson: before.user.id === now.user.id });
    before = now;
  });
}

/** `randomUUID` does not exist over plain http, except on localhost. */
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');
}
