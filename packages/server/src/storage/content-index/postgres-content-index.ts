import type { ContentIndex, IndexLocation } from '../../service/ports/content-index.ts';
import { createCircuitBreaker } from '../postgres/circuit-breaker.ts';
import type { Connection } from '../postgres/connection.ts';
import { createConnectionPool } from '../postgres/connection-pool.ts';
import { openSession } from '../postgres/open-session.ts';
import { errorOf } from '../postgres/pooled-executor.ts';
import { usualWaitMs } from '../postgres/retry-until.ts';
import { type FoldingPool, foldElsewhere } from './fold-texts.ts';
import { noContentIndex } from './no-content-index.ts';
import {
  type CandidateLimits,
  candidateLimits,
  hashOf,
  locationOf,
  readPostgresCandidates,
} from './postgres-candidates.ts';

/** One for adding, one for searching. */
const sessions = 2;
const pageRows = 1000;

/**
 * The index in the service's own database, with the extension `pg_trgm`. The migrations create the tables; the
 * extension and its index are created here, since not every role may do that.
 * @returns an unavailable index, and reports it, when the extension is missing.
 */
export async function openPostgresContentIndex(
  url: string,
  folding: FoldingPool,
  reportProblem: (message: string, cause: unknown) => void,
  limits: CandidateLimits = candidateLimits,
): Promise<ContentIndex> {
  try {
    await prepareChunks(url);
  } catch (error) {
    reportProblem(
      'content searches read the files: let an administrator of the database run "create extension pg_trgm", and start again',
      error,
    );
    return noContentIndex;
  }
  const breaker = createCircuitBreaker(() => openSession(url, 'write'), usualWaitMs);
  const pool = createConnectionPool(breaker.open, sessions, usualWaitMs);
  const using = async <Result>(use: (connection: Connection) => Promise<Result>): Promise<Result> => {
    try {
      return await pool.with(use);
    } catch (error) {
      throw errorOf(error);
    }
  };
  const ask = (sql: string, values: readonly (string | number)[]) =>
    using(async (connection) => (await connection.once(sql, values)).rows);
  /** Runs a change if the index is still at the expected position. */
  const at = (workspaceId: string, from: IndexLocation, change: (connection: Connection) => Promise<void>) =>
    using(async (connection) => {
      await connection.commands('begin');
      if (from.seq === 0) {
        await connection.once(
          `insert into content_index_place (workspace_id, seq, mark) values ($1, 0, '') on conflict do nothing`,
          [workspaceId],
        );
      }
      const { rows } = await connection.once(
        'select seq, mark from content_index_place where workspace_id = $1 for update',
        [workspaceId],
      );
      const location = locationOf(rows[0]);
      const isThere = rows.length === 1 && location.seq === from.seq && location.mark === from.mark;
      if (isThere) await change(connection);
      await connection.commands(isThere ? 'commit' : 'rollback');
      return isThere;
    });

  return {
    isAvailable: true,

    async place(workspaceId) {
      const rows = await ask('select seq, mark from content_index_place where workspace_id = $1', [
        workspaceId,
      ]);
      return locationOf(rows[0]);
    },

    candidates: (workspaceId, { text }) =>
      using((connection) => readPostgresCandidates(connection, { workspaceId, text, limits })),

    async notText(workspaceId, after) {
      const rows = await ask(
        `select id, content_hash from content_index where workspace_id = $1 and is_text = 0 and id > $2
          order by id limit ${pageRows}`,
        [workspaceId, after],
      );
      return {
        hashes: rows.map(({ content_hash }) => hashOf(content_hash)),
        last: Number(rows.at(-1)?.id ?? after),
      };
    },

    missing: (workspaceId, hashes) =>
      using(async (connection) => {
        const { rows } = await connection.once(
          'select content_hash from content_index where workspace_id = $1 and content_hash = any(string_to_array($2, $3))',
          [workspaceId, hashes.join(' '), ' '],
        );
        const there = new Set(rows.map(({ content_hash }) => hashOf(content_hash)));
        return hashes.filter((hash) => !there.has(hash));
      }),

    async advance({ workspaceId, from, to, contents }) {
      const folded = await foldElsewhere(
        folding,
        contents.map(({ bytes }) => bytes),
      );
      return at(workspaceId, from, async (connection) => {
        for (const [i, { contentHash }] of contents.entries()) {
          const text = folded[i] ?? null;
          // As bytes: encoding a large text here would block other requests.
          await connection.once(
            `with added as (
              insert into content_index (workspace_id, content_hash, is_text) values ($1, $2, $3)
                on conflict (workspace_id, content_hash) do nothing returning id
            )
            insert into content_index_part (content_id, folded)
              select added.id, convert_from(substring($4::bytea from part.start + 1 for part.length), 'UTF8')
              from added, unnest(string_to_array($5, ' ')::integer[], string_to_array($6, ' ')::integer[])
                as part (start, length)`,
            [
              workspaceId,
              contentHash,
              text === null ? 0 : 1,
              text?.bytes ?? null,
              text?.starts.join(' ') ?? '',
              text?.lengths.join(' ') ?? '',
            ],
          );
        }
        await connection.once('update content_index_place set seq = $2, mark = $3 where workspace_id = $1', [
          workspaceId,
          to.seq,
          to.mark,
        ]);
      });
    },

    async page(workspaceId, afterId) {
      const counted = await ask('select count(*) as count from content_index where workspace_id = $1', [
        workspaceId,
      ]);
      const rows = await ask(
        `select id, content_hash from content_index where workspace_id = $1 and id > $2 order by id limit ${pageRows}`,
        [workspaceId, afterId],
      );
      return {
        count: Number(counted[0]?.count ?? 0),
        contents: rows.map(({ id, content_hash }) => ({ id: Number(id), contentHash: hashOf(content_hash) })),
      };
    },

    remove: (workspaceId, location, ids) =>
      at(workspaceId, location, async (connection) => {
        await connection.once(
          `with removed as (
            delete from content_index where workspace_id = $1 and id = any(string_to_array($2, ' ')::bigint[]) returning id
          )
          delete from content_index_part where content_id in (select id from removed)`,
          [workspaceId, ids.join(' ')],
        );
      }),

    async clear(workspaceId) {
      await using(async (connection) => {
        await connection.commands('begin; set local statement_timeout = 0');
        const cleared = '$1::text is null or workspace_id = $1::text';
        await connection.once(`delete from content_index_place where ${cleared}`, [workspaceId]);
        await connection.once(
          `with removed as (delete from content_index where ${cleared} returning id)
            delete from content_index_part where content_id in (select id from removed)`,
          [workspaceId],
        );
        await connection.commands('commit');
      });
    },

    async [Symbol.asyncDispose]() {
      breaker.close();
      await pool.close();
    },
  };
}

/** When several nodes start together, one creates it and the others wait. */
async function prepareChunks(url: string): Promise<void> {
  const connection = await openSession(url, 'schema');
  try {
    await connection.commands('create extension if not exists pg_trgm');
    await connection.commands('set statement_timeout = 0; set lock_timeout = 0');
    await connection.commands(
      'create index if not exists content_index_part_by_piece on content_index_part using gin (folded gin_trgm_ops)',
    );
  } finally {
    await connection.close();
  }
}
