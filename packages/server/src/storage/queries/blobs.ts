import type { ContentHash } from '@stoa/core';
import { sql } from 'kysely';
import type { BlobLocation, BlobReader, BlobWriter } from '../../service/ports/blobs.ts';
import type { Executor } from './executor.ts';
import { columns, compileQuery, type Placeholders, type StoredOf, type TableOf } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';

const generationsMax = 1000;
const locatedMax = 100;

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
    keepStored: compileQuery((row: Placeholders<StoredOf<typeof blob>>) =>
      db
        .insertInto('blob')
        .values(blob.values(row))
        .onConflict((conflict) => conflict.columns(['workspace_id', 'content_hash']).doNothing()),
    ),
    // The new bytes were just hashed: they are right, whatever has happened to the stored ones.
    keepInline: compileQuery((row: Placeholders<StoredOf<typeof blob>>) =>
      db
        .insertInto('blob')
        .values(blob.values(row))
        .onConflict((conflict) =>
          conflict
            .columns(['workspace_id', 'content_hash'])
            .doUpdateSet({
              size_bytes: sql.ref('excluded.size_bytes'),
              bytes: sql.ref('excluded.bytes'),
              generation: null,
            })
            .where(sql<boolean>`blob.bytes is null or blob.bytes <> excluded.bytes`),
        ),
    ),
    locateMany: (workspaceId: string, contentHashes: readonly ContentHash[]) =>
      db
        .selectFrom('blob')
        .select(['content_hash', 'bytes', 'generation'])
        .where('workspace_id', '=', workspaceId)
        .where('content_hash', 'in', contentHashes)
        .compile(),
    referenced: (workspaceId: string, generations: readonly string[]) => {
      const within = (table: 'blob' | 'quarantined_content') =>
        db
          .selectFrom(table)
          .select('generation')
          .where('workspace_id', '=', workspaceId)
          .where('generation', 'in', generations);
      return within('blob').unionAll(within('quarantined_content')).compile();
    },
  };
}

export function createBlobReader(executor: Executor, queries: BlobQueries): BlobReader {
  return {
    async locate(workspaceId, contentHash) {
      const record = await queries.locate.get(executor, { workspaceId, contentHash });
      return record === undefined ? null : locationOf(contentHash, record);
    },
    async locateMany(workspaceId, contentHashes) {
      if (contentHashes.length > locatedMax) throw new Error(`more than ${locatedMax} contents`);
      if (contentHashes.length === 0) return new Map();
      const { sql } = queries.locateMany(workspaceId, contentHashes);
      const { rows } = await executor.once(sql, [workspaceId, ...contentHashes]);
      return new Map(
        rows.map(({ content_hash, bytes, generation }) => {
          // The columns of this statement, whose types its builder knows.
          const record = { bytes, generation } as Pick<FlatBlob, 'bytes' | 'generation'>;
          const contentHash = content_hash as ContentHash;
          return [contentHash, locationOf(contentHash, record)];
        }),
      );
    },
    async referenced(workspaceId, generations) {
      if (generations.length > generationsMax) throw new Error(`more than ${generationsMax} generations`);
      if (generations.length === 0) return new Set();
      const { sql } = queries.referenced(workspaceId, generations);
      const names = [workspaceId, ...generations];
      const { rows } = await executor.once(sql, [...names, ...names]);
      return new Set(rows.map(({ generation }) => String(generation)));
    },
  };
}

export function locationOf(
  contentHash: ContentHash,
  { bytes, generation }: Pick<FlatBlob, 'bytes' | 'generation'>,
): BlobLocation {
  if (bytes !== null) return { kind: 'inline', bytes };
  if (generation !== null) return { kind: 'stored', generation };
  throw new Error(`content ${contentHash} has neither bytes nor a generation`);
}

export function createBlobWriter(executor: Executor, queries: BlobQueries): BlobWriter {
  return {
    async keepBlob({ location, ...row }) {
      const keep = location.kind === 'inline' ? queries.keepInline : queries.keepStored;
      const changed = await keep.run(executor, {
        ...row,
        bytes: location.kind === 'inline' ? location.bytes : null,
        generation: location.kind === 'stored' ? location.generation : null,
      });
      return changed === 1 ? 'kept' : 'already_there';
    },
  };
}
