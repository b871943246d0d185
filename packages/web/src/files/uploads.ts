import { StoaApiError, StoaConnectionError } from '@stoa/client';
import { parseWorkspacePath, WorkspaceError } from '@stoa/core';
import { client } from '../api/client.ts';
import { type FileEntry, nameOf } from '../api/listing-index.ts';
import { uploadingClient } from '../api/uploading-client.ts';
import { holdWorkspace } from '../api/workspace-connections.ts';
import { createStore, type Store } from '../store/store.ts';
import { files as texts } from '../text/en/files.ts';
import { visibleName } from '../text/visible-name.ts';
import { notify } from '../ui/notices.ts';
import { contentHashOf } from './content-hash.ts';
import { type ChosenFile, uploadLinesMax } from './dropped-files.ts';
import { changedAtOf, joinPath } from './folder-contents.ts';
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

/** The uploads into one workspace: they go on whichever page is shown. */
export interface Uploads {
  readonly queue: Store<UploadQueue>;
  add(folder: string, files: readonly ChosenFile[]): Promise<void>;
  cancel(id: number): void;
  retry(id: number): void;
  choose(id: number, choice: TakenChoice, forTheRest: boolean): void;
  /** Empties the tray; what is still under way is cancelled. */
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
  /** Lines that a notice was about: the tray shows them for longer. */
  const said = new Set<number>();
  let held: ReturnType<typeof holdWorkspace> | null = null;

  function existingAt(path: string): ExistingFile | null {
    const state = held?.connection.listing.state.get();
    const file = state?.kind === 'ready' ? state.listing.files.get(path) : undefined;
    return file === undefined ? null : existingOf(file);
  }

  function send(event: UploadEvent): void {
    const wasOpen = queue.get().lines.some(({ phase }) => isOpen(phase));
    const step = stepUploads(queue.get(), event, existingAt);
    queue.set(step.queue);
    for (const effect of step.effects) void carryOut(effect);
    const open = step.queue.lines.some(({ phase }) => isOpen(phase));
    if (wasOpen && !open) finished();
  }

  /** Until all of them are done the feed is followed, and whoever closes the tab is asked. */
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

  async function carryOut(effect: UploadEffect): Promise<void> {
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
      send({ kind: 'failed', id, ...failureOf(error) });
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
        // The type that the browser guesses depends on the machine: the server goes by the extension.
        file.slice(0, file.size, ''),
        precondition,
        {
          onConflict: 'refuse',
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
      const failure = { kind: 'refused', message: texts.somebodyWasFaster } as const;
      send({ kind: 'failed', id, failure, mayRetry: true });
    } else send({ kind: 'taken', id, existing: existingOf(entry) });
  }

  return {
    queue,
    add: async (folder, chosen) => {
      if (chosen.length === 0) return;
      if (chosen.length + queue.get().lines.length > uploadLinesMax) {
        notify({ text: texts.tooManyUploads(uploadLinesMax), failure: true });
        return;
      }
      begun();
      const limits = await limitsOf(workspaceId);
      const first = queue.get().nextId;
      const files = chosen.flatMap(({ relativePath, file }) => {
        const path = canonical(joinPath(folder, relativePath));
        return path === null ? [] : [{ path, file, size: file.size, modifiedAt: file.lastModified }];
      });
      files.forEach(({ file }, i) => {
        bytes.set(first + i, file);
      });
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

/** Without an answer the server judges alone. */
async function limitsOf(workspaceId: string) {
  try {
    const { maxFileBytes, remainingBytes } = await client.usage(workspaceId);
    return { maxFileBytes, remainingBytes };
  } catch (error) {
    if (!(error instanceof StoaApiError) && !(error instanceof StoaConnectionError)) throw error;
    return { maxFileBytes: Number.POSITIVE_INFINITY, remainingBytes: null };
  }
}

/** Names of files on a disk may be none of ours: such a file fails by itself, and says why. */
function canonical(path: string): string | null {
  try {
    return parseWorkspacePath(path);
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    notify({ text: texts.uploadName(visibleName(nameOf(path)), error.message), failure: true });
    return null;
  }
}

function failureOf(error: unknown): { readonly failure: UploadFailure; readonly mayRetry: boolean } {
  if (error instanceof StoaConnectionError) {
    return { failure: { kind: 'refused', message: texts.noAnswer }, mayRetry: true };
  }
  if (error instanceof StoaApiError) {
    const limit = error.data.limit_bytes;
    if (error.status === 413 && typeof limit === 'number') {
      return { failure: { kind: 'too_large', limitBytes: limit }, mayRetry: false };
    }
    const mayRetry = error.status >= 500 || [401, 402, 408, 429].includes(error.status);
    return { failure: { kind: 'refused', message: error.message }, mayRetry };
  }
  // The file went from the disk, or may not be read.
  if (error instanceof DOMException && error.name !== 'AbortError') {
    return { failure: { kind: 'refused', message: error.message }, mayRetry: true };
  }
  if (error instanceof DOMException)
    return { failure: { kind: 'refused', message: texts.uploadCancelled }, mayRetry: true };
  throw error;
}

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** One notice for what has come, and one for what was there. */
function sayWhatCame(lines: readonly UploadLine[]): void {
  const [one, ...others] = lines.filter(({ phase }) => phase.kind === 'done');
  if (one !== undefined) {
    const text =
      others.length === 0
        ? texts.uploaded(visibleName(nameOf(one.path)))
        : texts.uploadedMany(others.length + 1);
    notify({ text });
  }
  const same = lines.filter(({ phase }) => phase.kind === 'same');
  const [first] = same;
  if (first === undefined) return;
  notify({
    text: same.length === 1 ? texts.wasThere(visibleName(nameOf(first.path))) : texts.wereThere(same.length),
  });
}
