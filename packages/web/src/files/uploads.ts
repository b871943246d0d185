import { StoaApiError, StoaConnectionError } from '@stoa/client';
import { parseWorkspacePath, placeholderName, WorkspaceError } from '@stoa/core';
import { client } from '../api/client.ts';
import { type FileEntry, folderOf, nameOf } from '../api/listing-index.ts';
import { uploadingClient } from '../api/uploading-client.ts';
import { holdWorkspace } from '../api/workspace-connections.ts';
import { createStore, type Store } from '../store/store.ts';
import { files as texts } from '../text/en/files.ts';
import { visibleName } from '../text/visible-name.ts';
import { notify } from '../ui/notices.ts';
import { contentHashOf } from './content-hash.ts';
import { type Chosen, uploadLinesMax, whyUnreadable } from './dropped-files.ts';
import { changedAtOf, joinPath, shownPath } from './folder-contents.ts';
import {
  type ExistingFile,
  emptyQueue,
  isOpen,
  isThere,
  stepUploads,
  type TakenChoice,
  type UploadEffect,
  type UploadEvent,
  type UploadFailure,
  type UploadLine,
  type UploadQueue,
} from './upload-queue.ts';

/** The uploads into one workspace. They continue on every page. */
export interface Uploads {
  readonly queue: Store<UploadQueue>;
  add(folder: string, chosen: Chosen): Promise<void>;
  cancel(id: number): void;
  retry(id: number): void;
  choose(id: number, choice: TakenChoice, forTheRest: boolean): void;
  /** Empties the tray and cancels unfinished uploads. */
  clear(): void;
}

const running = new Map<string, Uploads>();

export function uploadsOf(workspaceId: string): Uploads {
  const known = running.get(workspaceId);
  if (known !== undefined) return known;
  const uploads = createUploads(workspaceId);
  running.set(workspaceId, uploads);
  return uploads;
}

function createUploads(workspaceId: string): Uploads {
  const queue = createStore<UploadQueue>(emptyQueue);
  const bytes = new Map<number, File>();
  const requests = new Map<number, AbortController>();
  /** Lines that had a notice: the tray shows them longer. */
  const said = new Set<number>();
  let held: ReturnType<typeof holdWorkspace> | null = null;

  function existingAt(path: string): ExistingFile | null {
    const state = held?.connection.listing.state.get();
    const file = state?.kind === 'ready' ? state.listing.files.get(path) : undefined;
    return file === undefined ? null : existingOf(file);
  }

  function isFolder(path: string): boolean {
    const state = held?.connection.listing.state.get();
    return state?.kind === 'ready' && state.listing.folders.has(path);
  }

  function send(event: UploadEvent): void {
    const wasOpen = queue.get().lines.some(({ phase }) => isOpen(phase));
    const step = stepUploads(queue.get(), event, existingAt);
    queue.set(step.queue);
    for (const effect of step.effects) void perform(effect);
    const open = step.queue.lines.some(({ phase }) => isOpen(phase));
    if (wasOpen && !open) finished();
  }

  /** Follows the feed and asks before the tab closes, until all uploads are finished. */
  function begun(): void {
    held ??= holdWorkspace(workspaceId);
    addEventListener('beforeunload', askBeforeLeaving);
  }

  function finished(): void {
    held?.release();
    held = null;
    removeEventListener('beforeunload', askBeforeLeaving);
    const ended = queue.get().lines.filter(({ id, phase }) => isThere(phase) && !said.has(id));
    for (const { id } of ended) said.add(id);
    sayWhatCame(ended);
  }

  async function perform(effect: UploadEffect): Promise<void> {
    const { id } = effect;
    const file = bytes.get(id);
    if (effect.kind === 'abort') {
      requests.get(id)?.abort();
      return;
    }
    if (file === undefined) return;
    try {
      if (effect.kind === 'compare') {
        const line = queue.get().lines.find((each) => each.id === id);
        const wanted = line?.phase.kind === 'comparing' ? line.phase.existing.contentHash : '';
        const same = wanted !== '' && (await contentHashOf(file)) === wanted;
        send({ kind: 'compared', id, same });
      } else await upload(effect, file);
    } catch (error) {
      send({ kind: 'failed', id, ...(await failureOf(error, file)) });
    }
  }

  async function upload(
    { id, path, target }: Extract<UploadEffect, { kind: 'send' }>,
    file: File,
  ): Promise<void> {
    const request = new AbortController();
    requests.set(id, request);
    try {
      const precondition =
        target.kind === 'create'
          ? ({ kind: 'none' } as const)
          : {
              kind: 'version' as const,
              version: target.version,
              ...(target.contentHash === '' ? {} : { contentHash: target.contentHash }),
            };
      const outcome = await uploadingClient((sentBytes) =>
        send({ kind: 'progressed', id, sentBytes }),
      ).writeFile(
        workspaceId,
        path,
        // The browser's guess of the type depends on the machine, so the server uses the extension.
        file.slice(0, file.size, ''),
        precondition,
        {
          onConflict: 'refuse',
          allowEmpty: true,
          signal: request.signal,
          ...(target.kind === 'replace' ? { contentType: target.contentType } : {}),
        },
      );
      switch (outcome.kind) {
        case 'created':
        case 'updated':
        case 'conflict':
          send({ kind: 'uploaded', id, unchanged: false });
          break;
        case 'unchanged':
          send({ kind: 'uploaded', id, unchanged: true });
          break;
        case 'precondition_required':
        case 'refused':
          await meetExisting(id, path);
          break;
        default:
          send({ kind: 'failed', id, failure: { kind: 'full' }, mayRetry: true });
      }
    } finally {
      if (requests.get(id) === request) requests.delete(id);
    }
  }

  async function meetExisting(id: number, path: string): Promise<void> {
    const { entries } = await client.list(workspaceId, { prefix: path, details: true });
    const entry = entries.find((each) => each.path === path);
    if (entry === undefined) {
      const failure = { kind: 'refused', message: texts.savedByOthers } as const;
      send({ kind: 'failed', id, failure, mayRetry: true });
    } else send({ kind: 'taken', id, existing: existingOf(entry) });
  }

  return {
    queue,
    add: async (folder, chosen) => {
      const lines = linesOf(folder, chosen);
      if (lines.length === 0) return;
      if (lines.length + queue.get().lines.length > uploadLinesMax) {
        notify({ text: texts.tooManyUploads(uploadLinesMax), failure: true });
        return;
      }
      begun();
      const limits = await limitsOf(workspaceId);
      const first = queue.get().nextId;
      lines.forEach(({ file }, i) => {
        if (file !== null) bytes.set(first + i, file);
      });
      const files = lines.map((line) =>
        line.file === placeholder ? { ...line, isThere: isFolder(folderOf(line.path)) } : line,
      );
      send({ kind: 'added', files, limits });
      if (!queue.get().lines.some(({ phase }) => isOpen(phase))) finished();
    },
    cancel: (id) => send({ kind: 'cancelled', id }),
    retry: (id) => {
      begun();
      send({ kind: 'retried', id });
    },
    choose: (id, choice, forTheRest) => send({ kind: 'chosen', id, choice, forTheRest }),
    clear: () => {
      for (const { id, phase } of queue.get().lines) if (isOpen(phase)) send({ kind: 'cancelled', id });
      bytes.clear();
      said.clear();
      queue.set({ ...emptyQueue, nextId: queue.get().nextId });
    },
  };
}

function existingOf(file: Omit<FileEntry, 'kind' | 'name' | 'folder'>): ExistingFile {
  const { version, size, contentType, contentHash = '' } = file;
  return { version, size, contentType, contentHash, changedAt: changedAtOf(file) };
}

/** Without a response, only the server checks the limits. */
async function limitsOf(workspaceId: string) {
  try {
    const { maxFileBytes, remainingBytes } = await client.usage(workspaceId);
    return { maxFileBytes, remainingBytes };
  } catch (error) {
    if (!(error instanceof StoaApiError) && !(error instanceof StoaConnectionError)) throw error;
    return { maxFileBytes: Number.POSITIVE_INFINITY, remainingBytes: null };
  }
}

/** Keeps an empty folder. */
const placeholder = new File(['\n'], placeholderName);

/** A line per chosen file or folder. One that cannot be uploaded has its reason from the start. */
function linesOf(folder: string, { files, emptyFolders, unreadable }: Chosen) {
  return [
    ...files,
    ...emptyFolders.map((path) => ({ relativePath: joinPath(path, placeholderName), file: placeholder })),
    ...unreadable.map(({ relativePath, reason }) => ({ relativePath, file: null, reason })),
  ].map(({ relativePath, file, ...known }) => {
    const wanted = joinPath(folder, relativePath);
    const named = canonical(wanted);
    const message = 'reason' in known ? known.reason : named.reason;
    return {
      path: named.path,
      file,
      size: file?.size ?? 0,
      modifiedAt: file?.lastModified ?? 0,
      failure: message === null ? null : ({ kind: 'refused', message } as const),
    };
  });
}

/** File names on a disk may be illegal on the server: then the result has the reason. */
function canonical(path: string): { readonly path: string; readonly reason: string | null } {
  try {
    return { path: parseWorkspacePath(path), reason: null };
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    return { path, reason: texts.uploadName(error.message) };
  }
}

async function failureOf(
  error: unknown,
  file: File,
): Promise<{ readonly failure: UploadFailure; readonly mayRetry: boolean }> {
  if (error instanceof StoaApiError) {
    const limit = error.data.limit_bytes;
    if (error.status === 413 && typeof limit === 'number') {
      return { failure: { kind: 'too_large', limitBytes: limit }, mayRetry: false };
    }
    const mayRetry = error.status >= 500 || [401, 402, 408, 429].includes(error.status);
    return { failure: { kind: 'refused', message: error.message }, mayRetry };
  }
  const message =
    error instanceof DOMException && error.name === 'AbortError'
      ? texts.uploadCancelled
      : error instanceof StoaConnectionError
        ? ((await readError(file)) ?? texts.noResponse)
        : whyUnreadable(error);
  return { failure: { kind: 'refused', message }, mayRetry: true };
}

/** A request with a deleted or unreadable file fails like one without a connection, so read it to tell them apart. */
async function readError(file: File): Promise<string | null> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return null;
  } catch (error) {
    return whyUnreadable(error);
  }
}

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** Shows one notice for the uploaded files and one for those that already existed. */
function sayWhatCame(lines: readonly UploadLine[]): void {
  const [one, ...others] = lines.filter(({ phase }) => phase.kind === 'done');
  if (one !== undefined) {
    const text =
      others.length === 0
        ? texts.uploaded(visibleName(nameOf(shownPath(one.path))))
        : texts.uploadedMany(others.length + 1);
    notify({ text });
  }
  const same = lines.filter(({ phase }) => phase.kind === 'same');
  const [first] = same;
  if (first === undefined) return;
  notify({
    text:
      same.length === 1
        ? texts.wasThere(visibleName(nameOf(shownPath(first.path))))
        : texts.wereThere(same.length),
  });
}
