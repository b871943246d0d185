// docs/decisions/0028-exports.md
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  archiveName,
  type ContentHash,
  imageHashOf,
  RepositoryHeads,
  WorkspaceError,
  type WorkspacePath,
} from '@stoa/core';
import type { Pack } from 'tar-stream';
import { verifiedContent } from '../contents/verified-content.ts';
import { type ExportedKind, type ExportedRow, exportedKinds } from '../ports/exports.ts';
import type { Reader } from '../ports/reader.ts';
import type { WorkspaceImageRow } from '../ports/workspace-images.ts';
import type { ServiceDeps } from '../service-deps.ts';
import {
  type ExportHeader,
  type ExportRecord,
  entryNames,
  exportFormat,
  type RecordKind,
  type RecordsSummary,
  RejectedExport,
  recordKinds,
} from './format.ts';
import { recordOf } from './records.ts';
import { readLines, spooled, writeLines } from './spool.ts';

const pageRows = 1000;

/** All rows of one snapshot; the records are files in a folder. */
export interface TakenRecords {
  readonly header: ExportHeader;
  readonly image: WorkspaceImageRow | null;
}

/**
 * Reads all rows of one snapshot. Contents are never removed while a row names them, so they can be read afterwards.
 * @throws RejectedExport, WorkspaceError `workspace_not_found`
 */
export async function spoolRecords(
  reader: Reader,
  workspaceId: string,
  folder: string,
  now: number,
  progress: (step: string) => void,
): Promise<TakenRecords> {
  const workspace = await reader.workspaces.find(workspaceId);
  if (workspace === null) throw new WorkspaceError('workspace_not_found');
  const lost = await reader.exports.versionWithoutBytes(workspaceId);
  if (lost !== null) throw lostBytes(lost);
  const people = numberPeople();
  const records = {} as Record<RecordKind, RecordsSummary>;
  for (const kind of exportedKinds) {
    progress(kind);
    records[kind] = await writeLines(
      spooled(folder, kind),
      recordPages(reader, workspaceId, kind, people.numberOf),
    );
  }
  records.people = await writeLines(spooled(folder, 'people'), peoplePages(reader, workspaceId, people));
  const { id, name, icon, color, theme, themeCss, createdAt, seq } = workspace;
  const imageHash = imageHashOf(icon);
  const image = imageHash === null ? null : await reader.workspaceImages.find(workspaceId, imageHash);
  const header: ExportHeader = {
    format: exportFormat,
    exportedAt: new Date(now).toISOString(),
    workspace: {
      ...{ id, name, icon, color, theme, themeCss },
      createdAt: new Date(createdAt).toISOString(),
      head: seq,
    },
    image: image === null ? null : { contentHash: image.contentHash, size: image.bytes.byteLength },
    records,
  };
  return { header, image };
}

/** Numbers users in the order in which the records name them, so that a second export is identical. */
function numberPeople() {
  const numbers = new Map<string, number>();
  const numberOf = (userId: string) => {
    const known = numbers.get(userId);
    if (known !== undefined) return known;
    numbers.set(userId, numbers.size + 1);
    return numbers.size;
  };
  return { numbers, numberOf };
}

async function* recordPages(
  reader: Reader,
  workspaceId: string,
  kind: ExportedKind,
  numberOf: (userId: string) => number,
): AsyncGenerator<readonly object[]> {
  let after: ExportedRow | null = null;
  for (;;) {
    const page: readonly ExportedRow[] = await reader.exports.rows(kind, {
      workspaceId,
      after,
      limit: pageRows,
    });
    yield page.map((row) => recordOf(kind, row, numberOf));
    after = page.at(-1) ?? null;
    if (page.length < pageRows) return;
  }
}

/** E-mail addresses that an import made up. The domain is reserved, so they cannot exist. */
export const formerDomain = '@former.invalid';

async function* peoplePages(
  reader: Reader,
  workspaceId: string,
  { numbers, numberOf }: ReturnType<typeof numberPeople>,
): AsyncGenerator<readonly object[]> {
  const standings = new Map(
    (await reader.exports.standings(workspaceId)).map((existing) => [existing.userId, existing]),
  );
  for (const userId of standings.keys()) numberOf(userId);
  const timeOf = (time: number | null | undefined) =>
    typeof time === 'number' ? new Date(time).toISOString() : null;
  for (const [userId, person] of numbers) {
    const user = await reader.users.find(userId);
    const existing = standings.get(userId);
    const record: ExportRecord<'people'> = {
      person,
      name: user?.name ?? 'Former member',
      email: user === null || user.email.endsWith(formerDomain) ? null : user.email,
      role: existing?.role ?? null,
      joinedAt: timeOf(existing?.joinedAt),
      joinedSeq: existing?.joinedSeq ?? null,
      removedAt: timeOf(existing?.removedAt),
    };
    yield [record];
  }
}

/** Number of current files in a tar, and of contents that no current file has. */
export interface ExportCounts {
  readonly files: number;
  readonly contents: number;
}

/**
 * Fills a tar on demand, so that memory stays constant, and ends it. Verifies every byte.
 * @throws RejectedExport when bytes are missing or corrupt: the tar is truncated then
 */
export async function packExport(
  deps: Pick<ServiceDeps, 'store' | 'blobs'>,
  { header, image }: TakenRecords,
  folder: string,
  tar: Pack,
  progress: (step: string) => void,
): Promise<ExportCounts> {
  const workspaceId = header.workspace.id;
  const mtime = new Date(header.exportedAt);
  const add = (name: string, size: number, bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) =>
    addEntry(tar, { name, size, mtime }, bytes);
  const text = Buffer.from(`${JSON.stringify(header, null, 2)}\n`);
  await add(entryNames.header, text.byteLength, [text]);
  if (image !== null) await add(entryNames.image, image.bytes.byteLength, [image.bytes]);
  for (const kind of recordKinds) {
    await add(entryNames.records(kind), header.records[kind].bytes, createReadStream(spooled(folder, kind)));
  }
  /** Contents of current files are not written again: some 100 bytes of memory for each file. */
  const held = new Set<string>();
  const heads = new RepositoryHeads();
  for await (const line of readLines(spooled(folder, 'files')))
    heads.add((line as ExportRecord<'files'>).path);
  let files = 0;
  for await (const line of readLines(spooled(folder, 'files'))) {
    const { path, size, contentHash } = line as ExportRecord<'files'>;
    const name = archiveName(path as WorkspacePath, heads.has(path));
    if (name === null) continue;
    await add(entryNames.file(name), size, verified(deps, workspaceId, contentHash, size));
    held.add(contentHash);
    files += 1;
    progress(`${files} of ${header.records.files.lines} files`);
  }
  let contents = 0;
  for await (const line of readLines(spooled(folder, 'contents'))) {
    const { size, contentHash } = line as ExportRecord<'contents'>;
    if (held.has(contentHash)) continue;
    await add(entryNames.content(contentHash), size, verified(deps, workspaceId, contentHash, size));
    contents += 1;
    progress(`${held.size + contents} of ${header.records.contents.lines} contents`);
  }
  tar.finalize();
  return { files, contents };
}

/** Resolves when the entry is consumed, so that memory stays constant. */
async function addEntry(
  tar: Pack,
  header: { readonly name: string; readonly size: number; readonly mtime: Date },
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  await pipeline(Readable.from(bytes, { objectMode: false }), tar.entry({ ...header, mode: 0o644 }));
}

async function* verified(
  deps: Pick<ServiceDeps, 'store' | 'blobs'>,
  workspaceId: string,
  contentHash: string,
  sizeBytes: number,
): AsyncGenerator<Uint8Array> {
  try {
    // The hash comes from a row.
    yield* verifiedContent(deps, { workspaceId, contentHash: contentHash as ContentHash, sizeBytes });
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'stored_bytes_missing')
      throw lostBytes(contentHash);
    throw error;
  }
}

function lostBytes(what: string): RejectedExport {
  return new RejectedExport(
    `The bytes of ${what} are missing or wrong, so nothing was exported: \`npm run admin -- check --contents\` says more, and \`repair --from\` brings them back from a backup.`,
  );
}
