import type { ContentHash } from '@stoa/core';
import type { BlobReader, BlobWriter } from '../../service/ports/blobs.ts';
import type { Executor } from './executor.ts';
import { columns, compileQuery, type Placeholders, type StoredOf, type TableOf } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';

const generationsMax = 1000;

/** Either the bytes or the generation is set. */
export interface FlatBlob {
  readonly workspaceId: string;
  readonly contentHash: ContentHash;
  readonly sizeBytes: number;
  readonly bytes: Uint8Array | null;
  readonly generation: string | null;
  readonly createdAt: number;
}

const blob = columns<FlatBlob>()('blob', {
  workspaceId: 'workspace_id',
  contentHash: 'content_hash',
  sizeBytes: 'size_bytes',
  bytes: 'bytes',
  generation: 'generation',
  createdAt: 'created_at',
});

export type BlobTable = TableOf<typeof blob>;

export type BlobQueries = ReturnType<typeof blobQueries>;

export function blobQueries({ db }: QueryDialect) {
  return {
    locate: compileQuery(
      ({ workspaceId, contentHash }: Placeholders<{ workspaceId: string; contentHash: ContentHash }>) =>
        db
          .selectFrom('blob')
          .select(['bytes', 'generation'])
          .where('workspace_id', '=', workspaceId)
          .where('content_hash', '=', contentHash),
    ),
    keep: compileQuery((row: Placeholders<StoredOf<typeof blob>>) =>
      db
        .insertInto('blob')
        .values(blob.values(row))
        .onConflict((conflict) => conflict.columns(['workspace_id', 'content_hash']).doNothing()),
    ),
    referenced: (workspaceId: string, generations: readonly string[]) =>
      db
        .selectFrom('blob')
        .select('generation')
        .where('workspace_id', '=', workspaceId)
        .where('generation', 'in', generations)
        .compile(),
  };
}

export function createBlobReader(executor: Executor, queries: BlobQueries): BlobReader {
  return {
    async locate(workspaceId, contentHash) {
      const record = await queries.locate.get(executor, { workspaceId, contentHash });
      if (record === undefined) return null;
      if (record.bytes !== null) return { kind: 'inline', bytes: record.bytes };
      if (record.generation !== null) return { kind: 'stored', generation: record.generation };
      throw new Error(`content ${contentHash} has neither bytes nor a generation`);
    },
    async referenced(workspaceId, generations) {
      if (generations.length > generationsMax) throw new Error(`more than ${generationsMax} generations`);
      if (generations.length === 0) return new Set();
      const { sql } = queries.referenced(workspaceId, generations);
      const { rows } = await executor.once(sql, [workspaceId, ...generations]);
      return new Set(rows.map(({ generation }) => String(generation)));
    },
  };
}

export function createBlobWriter(executor: Executor, queries: BlobQueries): BlobWriter {
  return {
    async keepBlob({ location, ...row }) {
      const inserted = await queries.keep.run(executor, {
        ...row,
        bytes: location.kind === 'inline' ? location.bytes : null,
        generation: location.kind === 'stored' ? location.generation : null,
      });
      return inserted === 1 ? 'kept' : 'already_there';
    },
  };
}
