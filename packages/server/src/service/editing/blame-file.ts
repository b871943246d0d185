// Computed on request, over a bounded history: otherwise each write would pay for lines that few callers ask about.
import { type BlamedLines, invalidRequest, type WorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import { readWhole, readWholeIfKept } from '../contents/read-whole.ts';
import { type ListedVersion, listVersions } from '../files/list-versions.ts';
import { readFile } from '../files/read-file.ts';
import type { FileRow } from '../ports/files.ts';
import type { ServiceDeps } from '../service-deps.ts';

/** Larger files are rejected: their lines would have to be found in many versions. */
export const blamedFileMaxBytes = 1024 * 1024;
/** Limits of the history to read: older lines are attributed to its oldest version. */
const versionsMax = 100;
const bytesMax = 16 * 1024 * 1024;
const listedMax = 1000;

/** Consecutive lines of the current file, with the version that last wrote them. */
export interface WrittenLines extends Omit<BlamedLines, 'text'> {
  readonly by: ListedVersion;
  /** The version is the oldest that was read, and not the first: an earlier one may have written them. */
  readonly orEarlier: boolean;
}

type Deps = Pick<ServiceDeps, 'store' | 'blobs' | 'editing'>;

/**
 * Attributes the lines of a file to versions (interface: versions, Blame). It follows moves, as far as the caller sees
 * the earlier paths, and restores, which bring lines back with their authors.
 * @throws WorkspaceError `file_not_found`; `invalid_request` for a file that is too large or not text; `overloaded`
 */
export async function blameFile(
  deps: Deps,
  access: WorkspaceAccess,
  { path }: { readonly path: WorkspacePath },
): Promise<{ readonly file: FileRow; readonly lines: readonly WrittenLines[] }> {
  const { file } = await readFile(deps, access, { path, opens: 'perhaps' });
  if (file.sizeBytes > blamedFileMaxBytes) {
    throw invalidRequest(
      `${path} has ${file.sizeBytes} bytes; blame works up to 1 MiB. Next: read it without blame`,
    );
  }
  const listed = await listVersions(deps, access, { path, limit: listedMax });
  // The file may have changed since it was found: its history begins with the version that was found.
  const start = listed.findIndex(
    ({ row }) => row.incarnation === file.incarnation && row.version === file.version,
  );
  const { chain, isWhole } = chainFrom(listed, start);
  const bytes = chain.reduce((sum, { row }) => sum + row.sizeBytes, 0);
  const { workspaceId } = file;
  const hashes = chain.map(({ row }) => row.contentHash);
  const response = await deps.editing.blame(workspaceId, hashes, () =>
    deps.editing.holding(workspaceId, bytes, async () => {
      const contents: Uint8Array[] = [await readWhole(deps, file)];
      for (const { row } of chain.slice(1)) {
        const content = await readWholeIfKept(deps, row);
        if (content === null) break;
        contents.push(content);
      }
      return contents;
    }),
  );
  if (response === null) throw invalidRequest(`${path} is not text, so it has no lines`);
  const isOldest = isWhole && response.oldest === chain.length - 1;
  const lines = response.lines.flatMap(({ from, to, text }) => {
    const by = chain[text];
    return by === undefined ? [] : [{ from, to, by, orEarlier: text === response.oldest && !isOldest }];
  });
  return { file, lines };
}

/**
 * The contents of the file, newest first, each version followed by its predecessor; `isWhole` when they reach the
 * first.
 */
function chainFrom(
  listed: readonly ListedVersion[],
  start: number,
): { readonly chain: readonly ListedVersion[]; readonly isWhole: boolean } {
  const chain: ListedVersion[] = [];
  let bytes = 0;
  for (let at: number | null = start; at !== null; ) {
    const version: ListedVersion | undefined = listed[at];
    if (version === undefined) break;
    bytes += version.row.sizeBytes;
    const isTooMuch = chain.length === versionsMax || bytes > bytesMax;
    if (chain.length > 0 && (isTooMuch || version.row.sizeBytes > blamedFileMaxBytes)) break;
    const from = predecessorOf(listed, at);
    // A version with the same content as its predecessor is attributed to the predecessor.
    if (from.isSame && from.at !== null && from.at > at) {
      bytes -= version.row.sizeBytes;
      at = from.at;
      continue;
    }
    chain.push(version);
    if (from.at === null) {
      const { op, version: number } = version.row;
      return { chain, isWhole: number === 1 && (op === 'write' || op === 'conflict') };
    }
    at = from.at;
  }
  return { chain, isWhole: false };
}

/** Predecessor of a version's content: the source of a move, the restored version, or the previous version. */
function predecessorOf(
  listed: readonly ListedVersion[],
  at: number,
): { readonly at: number | null; readonly isSame: boolean } {
  const row = listed[at]?.row;
  if (row === undefined) return { at: null, isSame: false };
  if (row.op === 'restore') {
    const restored = listed.findIndex(
      (other, index) => index > at && other.row.contentHash === row.contentHash,
    );
    if (restored !== -1) return { at: restored, isSame: true };
  }
  const next = listed[at + 1]?.row;
  const isNext =
    next !== undefined &&
    next.incarnation === (row.version > 1 ? row.incarnation : row.movedFrom?.incarnation);
  if (!isNext) return { at: null, isSame: false };
  return { at: at + 1, isSame: next.contentHash === row.contentHash };
}
