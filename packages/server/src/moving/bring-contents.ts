import { createHash } from 'node:crypto';
import { type ContentHash, isContentHash, WorkspaceError } from '@stoa/core';
import { isUnreadable, WrongBytes } from '../backup/object-folder.ts';
import { bringBack } from '../backup/put-back.ts';
import type { BlobStore } from '../service/ports/blob-store.ts';
import type { TransferredTable } from './copied-tables.ts';
import type { Transfer } from './copy-tables.ts';
import type { Cells } from './read-rows.ts';
import { RejectedMove } from './rejected-move.ts';

const contentsTable = 'blob';
/** Concurrent uploads. */
const atOnce = 8;
/** Limit of the work that an interruption loses: contents uploaded since the last rows were added. */
const unsettled = { bytes: 64 * 1024 * 1024, contents: 64 };

export interface Brought {
  contents: number;
  bytes: number;
  /** Contents that are missing or damaged at the source, and so at the target. The check reports them. */
  readonly lost: { readonly workspaceId: string; readonly contentHash: string }[];
}

interface LargeContent {
  readonly workspaceId: string;
  readonly contentHash: ContentHash;
  readonly sizeBytes: number;
  readonly generation: string;
}

/** Uploads large contents to the target, verified by hash, before it adds the rows that name them. */
export function bringContents(
  { source, target }: { readonly source: BlobStore; readonly target: BlobStore },
  lost: 'refused' | 'left',
  brought: Brought,
): Transfer {
  return async function* (table, rows) {
    if (table.name !== contentsTable) return yield rows;
    const generationAt = locationOf(table, 'generation');
    let from = 0;
    let waiting: { readonly at: number; readonly content: LargeContent }[] = [];
    let bytes = 0;
    const settle = async (until: number) => {
      const settled: (readonly Cells[number][])[] = rows.slice(from, until);
      const next = waiting.values();
      const bring = async () => {
        for (const { at, content } of next) {
          const kept = await bringOne(source, target, content);
          if (kept === null) {
            if (lost === 'refused') throw new RejectedMove(lostText(content));
            brought.lost.push({ workspaceId: content.workspaceId, contentHash: content.contentHash });
            continue;
          }
          brought.contents += 1;
          brought.bytes += content.sizeBytes;
          settled[at - from] = (rows[at] ?? []).with(generationAt, kept);
        }
      };
      await Promise.all(Array.from({ length: Math.min(atOnce, waiting.length) }, bring));
      [from, waiting, bytes] = [until, [], 0];
      return settled;
    };
    for (const [at, row] of rows.entries()) {
      const content = largeContent(table, row);
      if (content === null) continue;
      waiting.push({ at, content });
      bytes += content.sizeBytes;
      if (bytes >= unsettled.bytes || waiting.length >= unsettled.contents) yield await settle(at + 1);
    }
    yield await settle(rows.length);
  };
}

const lostText = ({ workspaceId, contentHash }: LargeContent) =>
  `The content ${workspaceId} ${contentHash} is missing or damaged at the source. Restore it from a backup (\`npm run admin -- repair --contents --from <directory>\`, with the settings of the source) and run the command again, or leave such contents behind with --leave-lost.`;

/** The object's name differs at the target, so the comparison only checks whether there is one. */
export function withoutLocation(table: TransferredTable): (row: Cells) => Cells {
  if (table.name !== contentsTable) return (row) => row;
  const at = locationOf(table, 'generation');
  return (row) => row.with(at, row[at] === null ? 0 : 1);
}

function locationOf({ name, columns }: TransferredTable, column: string): number {
  const at = columns.findIndex((each) => each.name === column);
  if (at === -1) throw new Error(`${name} has no column ${column}`);
  return at;
}

function largeContent(table: TransferredTable, row: Cells): LargeContent | null {
  const cell = (column: string) => row[locationOf(table, column)];
  const generation = cell('generation');
  const contentHash = cell('content_hash');
  // The check reports a row without a hash; there is no content to copy.
  if (typeof generation !== 'string' || typeof contentHash !== 'string' || !isContentHash(contentHash))
    return null;
  return {
    workspaceId: String(cell('workspace_id')),
    contentHash,
    sizeBytes: Number(cell('size_bytes')),
    generation,
  };
}

async function bringOne(source: BlobStore, target: BlobStore, content: LargeContent): Promise<string | null> {
  const { workspaceId, contentHash, sizeBytes } = content;
  const read = async function* () {
    const seen = createHash('sha256');
    try {
      const stream = await source.open(content, { start: 0, end: sizeBytes, sizeBytes });
      for await (const chunk of stream) {
        seen.update(chunk);
        yield chunk;
      }
    } catch (error) {
      // An unreachable store, or one that denies access, does not mean lost bytes: with --leave-lost they would be
      // left behind.
      const isLost = error instanceof WorkspaceError && error.code === 'stored_bytes_missing';
      if (!isLost && !isUnreadable(error)) throw error;
      throw new WrongBytes(`the bytes of ${contentHash} are missing or damaged`, { cause: error });
    }
    const found = seen.digest('hex');
    if (found !== contentHash) throw new WrongBytes(`the bytes called ${contentHash} have the hash ${found}`);
  };
  return (await bringBack({ read }, target, workspaceId, contentHash))?.generation ?? null;
}
