// docs/decisions/0061-blame-reads-a-bounded-past.md
import { type BlamedLines, invalidRequest, type WorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import { readWhole, readWholeIfKept } from '../comments/read-whole.ts';
import { type ListedVersion, listVersions } from '../files/list-versions.ts';
import { readFile } from '../files/read-file.ts';
import type { FileRow } from '../ports/files.ts';
import type { ServiceDeps } from '../service-deps.ts';

/** Larger files are not looked at: their lines would have to be found in many versions. */
export const blamedFileMaxBytes = 1024 * 1024;
/** What is looked at of a file's past: the lines that are older belong to the oldest of it. */
const versionsMax = 100;
const bytesMax = 16 * 1024 * 1024;
const listedMax = 1000;

/** Lines of a file as it is now, with the version that last wrote them. */
export interface WrittenLines extends Omit<BlamedLines, 'text'> {
  readonly by: ListedVersion;
  /** The version is the oldest that was looked at, and not the first: others may have written them before. */
  readonly orEarlier: boolean;
}

type Deps = Pick<ServiceDeps, 'store' | 'blobs' | 'editing'>;

/**
 * Who wrote which lines of a file (interface: versions, Blame): through moves, as far as the caller sees the earlier paths,
 * and through restores, which bring back lines with their writers.
 * @throws WorkspaceError `file_not_found`; `invalid_request` for a file that is too large or not text; `overloaded`
 */
export async function blameFile(
  deps: Deps,
  access: WorkspaceAccess,
  { path }: { readonly path: WorkspacePath },
): Promise<{ readonly file: FileRow; readonly lines: readonly WrittenLines[] }> {
  const { file } = await readFile(deps, access, { path, opens: 'perhaps' });
  if (file.sizeBytes > blamedFileMaxBytes) {
    throw invalidRequest(`${path} has ${file.sizeBytes} bytes; who wrote its lines is told of up to 1 MiB`);
  }
  const listed = await listVersions(deps, access, { path, limit: listedMax });
  // Somebody may have written since the file was found: its past begins with the version that was.
  const start = listed.findIndex(
    ({ row }) => row.incarnation === file.incarnation && row.version === file.version,
  );
  const { chain, isWhole } = chainFrom(listed, start);
  const bytes = chain.reduce((sum, { row }) => sum + row.sizeBytes, 0);
  const { workspaceId } = file;
  const hashes = chain.map(({ row }) => row.contentHash);
  const answer = await deps.editing.blame(workspaceId, hashes, () =>
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
  if (answer === null) throw invalidRequest(`${path} is not text, so it has no lines`);
  const isOldest = isWhole && answer.oldest === chain.length - 1;
  const lines = answer.lines.flatMap(({ from, to, text }) => {
    const by = chain[text];
    return by === undefined ? [] : [{ from, to, by, orEarlier: text === answer.oldest && !isOldest }];
  });
  return { file, lines };
}

/** The contents that the file had, newest first, each version's predecessor after it; `isWhole` when it goes back to the first. */
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
    // What a version has from another as it is, is the other's.
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

/** Where the content came from that a version changed, or took as it is: a move's source, a restore's version. */
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
