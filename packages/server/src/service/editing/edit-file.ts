import {
  invalidRequest,
  type LineRange,
  type ListedLine,
  type Principal,
  type QuotaError,
  type WantedEdit,
  WorkspaceError,
  type WorkspacePath,
} from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import { editedFileMaxBytes } from '../contents/edited-size.ts';
import { readWhole, readWholeIfKept } from '../contents/read-whole.ts';
import type { ActorStamp } from '../ports/changes.ts';
import type { FileRow, VersionRow } from '../ports/files.ts';
import { rejectHidden } from '../privacy/find-owner.ts';
import { rejectReadOnly } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';
import type { EditResponse } from './edit-job.ts';
import { tryInOrder, writeOver } from './try-in-order.ts';

/** Author of a version: the label of a key, or a user's name. */
export interface ChangedBy {
  readonly label: string;
  readonly principal: Principal;
  readonly version: number;
}

interface Edited {
  readonly version: number;
  /** By edit, in the new version. */
  readonly lines: readonly LineRange[];
  /** The numbers of edits that matched only after white space was normalised. */
  readonly folded: readonly number[];
  /** Other authors' changes since the version that the edits were written for. */
  readonly others: readonly (LineRange & { readonly by: ChangedBy })[];
}

export type EditFileOutcome = {
  /** The version in which the edits were searched. */
  readonly baseVersion: number;
  /** The requested version is not stored or does not exist: the current one was used instead. */
  readonly baseUnavailable: boolean;
} & (
  | ({ readonly kind: 'updated' | 'unchanged' } & Edited)
  | {
      readonly kind: 'text_changed';
      readonly edit: number;
      readonly currentVersion: number;
      readonly changedBy: ChangedBy;
      readonly current: ListedLine;
    }
  | (Extract<EditResponse, { readonly kind: 'text_not_found' | 'text_ambiguous' | 'edits_overlap' }> & {
      readonly currentVersion: number;
    })
  | QuotaError
);

type Deps = Pick<ServiceDeps, 'store' | 'blobs' | 'frontMatter' | 'clock' | 'plans' | 'editing'>;

interface StagesMost {
  readonly versions: number;
  readonly bytes: number;
}

/** Intermediate versions that are read to attribute changes; for the others, the newest is named. */
const usualStages: StagesMost = { versions: 6, bytes: 4 * 1024 * 1024 };
/** The same for a rejection, which is rare and has to name the author of the conflicting change. */
const errorStages: StagesMost = { versions: 60, bytes: 32 * 1024 * 1024 };

/**
 * Changes parts of a text file, all of them or none (interface: mcp, Parts of files). It searches the edits in
 * `baseVersion` if that is stored, and rebases them onto the current content; it repeats this when the file changes
 * concurrently.
 * @throws WorkspaceError `file_not_found`, `workspace_read_only`, `invalid_request`, `file_too_large`, `overloaded`
 */
export function editFile(
  deps: Deps,
  access: WorkspaceAccess,
  wanted: {
    readonly path: WorkspacePath;
    readonly edits: readonly WantedEdit[];
    readonly baseVersion: number | null;
  },
): Promise<EditFileOutcome> {
  return tryInOrder(deps, access.workspace.id, wanted.path, () => tryEdit(deps, access, wanted));
}

/** @returns null when the file has changed since it was read. */
async function tryEdit(
  deps: Deps,
  access: WorkspaceAccess,
  wanted: Parameters<typeof editFile>[2],
): Promise<EditFileOutcome | null> {
  const { path, edits } = wanted;
  const workspaceId = access.workspace.id;
  const { reader } = deps.store;
  const file = await reader.files.find(workspaceId, path);
  if (file === null) throw new WorkspaceError('file_not_found');
  await rejectHidden(reader, workspaceId, path, access.viewer);
  rejectReadOnly(access.workspace);
  if (file.sizeBytes > editedFileMaxBytes) {
    throw invalidRequest(
      `${path} has ${file.sizeBytes} bytes; edit_file changes files of up to 16 MiB (${editedFileMaxBytes} bytes). Next: read it in windows and write_file all of it`,
    );
  }
  let stages = await readStages(deps, file, wanted.baseVersion, usualStages);
  const bytes = stages.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return deps.editing.holding(workspaceId, bytes, async () => {
    let response = await ask(deps, stages, edits);
    if (response === null || response.kind === 'base_not_text') {
      stages = [stages.at(-1) ?? stages[0]];
      response = await ask(deps, stages, edits);
    }
    const [base] = stages;
    const facts = {
      baseVersion: base.version,
      baseUnavailable: wanted.baseVersion !== null && wanted.baseVersion !== base.version,
    };
    const changedBy = (text: number) => nameOf(deps, stages[text] ?? base);
    if (response?.kind === 'text_changed' && file.version - base.version >= stages.length) {
      const more = await readStages(deps, file, base.version, errorStages);
      const again = more.length > stages.length ? await ask(deps, more, edits) : null;
      if (again?.kind === 'text_changed') [stages, response] = [more, again];
    }
    switch (response?.kind) {
      case undefined:
        throw new WorkspaceError('stored_bytes_missing');
      case 'not_text':
      case 'base_not_text':
        throw invalidRequest(
          `${path} is not text, so edit_file cannot change it. Next: write_file with encoding base64 replaces it.`,
        );
      case 'too_many_places':
        throw invalidRequest(`edits.${response.edit - 1}: more than ${response.most} matches at once`);
      case 'text_not_found':
      case 'text_ambiguous':
      case 'edits_overlap':
        return { ...response, ...facts, currentVersion: file.version };
      case 'text_changed': {
        const { kind, edit, current } = response;
        return {
          kind,
          edit,
          current,
          ...facts,
          currentVersion: file.version,
          changedBy: await changedBy(response.text),
        };
      }
      case 'edited': {
        const { lines, folded, content } = response;
        const others = await Promise.all(
          response.others.map(async ({ from, to, text }) => ({ from, to, by: await changedBy(text) })),
        );
        const edited = { ...facts, lines, folded, others };
        if (content === null) return { kind: 'unchanged', version: file.version, ...edited };
        return writeEdited(deps, access, file, content, edited);
      }
    }
  });
}

/** A content of the file, and its author. */
type Stage = Pick<VersionRow, 'workspaceId' | 'contentHash' | 'sizeBytes' | 'version'> & Partial<ActorStamp>;

/** The version that the edits are for, some of those since, and the current one, oldest first. */
async function readStages(
  { store }: Pick<Deps, 'store'>,
  file: FileRow,
  baseVersion: number | null,
  most: StagesMost,
): Promise<readonly [Stage, ...Stage[]]> {
  if (baseVersion === null || baseVersion >= file.version) return [file];
  const { workspaceId, path, incarnation, version } = file;
  const { files } = store.reader;
  const base = await files.findVersion(workspaceId, path, baseVersion);
  if (base === null || base.incarnation !== incarnation) return [file];
  const newest = { workspaceId, path, incarnation, belowVersion: version + 1, limit: most.versions + 1 };
  const later = (await files.versionsOf(newest)).filter((each) => each.version > baseVersion).toReversed();
  const current = later.at(-1);
  // The file has changed since: the write will be rejected, and all of this repeated.
  if (current === undefined || current.contentHash !== file.contentHash) return [base, file];
  const bytes = later.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return bytes > most.bytes ? [base, current] : [base, ...later];
}

/** @returns null when the bytes of the first stage are missing. */
async function ask(
  deps: Deps,
  stages: readonly [Stage, ...Stage[]],
  edits: readonly WantedEdit[],
): Promise<EditResponse | null> {
  const [base, ...later] = stages;
  const first = later.length === 0 ? await readWhole(deps, base) : await readWholeIfKept(deps, base);
  if (first === null) return null;
  const contents: [Uint8Array, ...Uint8Array[]] = [first];
  for (const stage of later) contents.push(await readWhole(deps, stage));
  return deps.editing.edit(base.workspaceId, { contents, edits });
}

async function writeEdited(
  deps: Deps,
  access: WorkspaceAccess,
  file: FileRow,
  content: Uint8Array,
  edited: Omit<Edited, 'version'> & Pick<EditFileOutcome, 'baseVersion' | 'baseUnavailable'>,
): Promise<EditFileOutcome | null> {
  const { path, contentType } = file;
  const outcome = await writeOver(deps, access, path, file, { content, contentType });
  const { baseVersion, baseUnavailable } = edited;
  switch (outcome?.kind) {
    case undefined:
      return null;
    case 'updated':
    case 'unchanged':
      return { ...edited, kind: outcome.kind, version: outcome.version };
    case 'quota_exceeded':
    case 'file_count_exceeded':
    case 'history_exceeded':
      return { ...outcome, baseVersion, baseUnavailable };
    case 'created':
      throw new Error('an edit of an existing file created it');
  }
}

async function nameOf(
  { store }: Pick<Deps, 'store'>,
  { actorId, actorLabel, principal, version }: Stage,
): Promise<ChangedBy> {
  const person = actorLabel == null && actorId !== undefined ? await store.reader.users.find(actorId) : null;
  return { label: actorLabel ?? person?.name ?? 'somebody', principal: principal ?? 'human', version };
}
