import { randomUUID } from 'node:crypto';
import type { ContentHash } from '@stoa/core';
import type { WorkerPool } from '../../concurrency/worker-pool.ts';
import {
  type AskedToken,
  entriesPageMax,
  type Holders,
  type IndexEntries,
  type IndexScope,
  type WordIndex,
} from '../../service/ports/word-index.ts';
import { createCircuitBreaker } from '../postgres/circuit-breaker.ts';
import type { Connection } from '../postgres/connection.ts';
import { createConnectionPool } from '../postgres/connection-pool.ts';
import { openSession } from '../postgres/open-session.ts';
import { errorOf } from '../postgres/pooled-executor.ts';
import { usualWaitMs } from '../postgres/retry-until.ts';
import { indexedTokens } from '../schema/m020-word-index.ts';
import {
  type Contents,
  idsByBit,
  indexTokenOf,
  type ListRow,
  listRows,
  numbersIn,
  patternOf,
  tokensAtOnce,
} from './index-lists.ts';

export type ListingPool = Pick<WorkerPool<Contents, readonly (readonly ListRow[] | null)[]>, 'ask'>;

/** For a process that serves no requests. */
export const listInThisThread: ListingPool = {
  ask: async (contents) => ({ kind: 'answered', result: contents.map(listRows) }),
};

/** One for adding, one for searching. */
const sessions = 2;
/** After this the search does not use the index, and reads the files. */
const askMsMax = 2_000;

/** The index in the service's own database. The migrations create the tables. */
export function createPostgresWordIndex(url: string, listing: ListingPool): WordIndex {
  const breaker = createCircuitBreaker(() => openSession(url, 'write'), usualWaitMs);
  const pool = createConnectionPool(breaker.open, sessions, usualWaitMs);
  const using = async <Result>(
    begin: string,
    use: (connection: Connection) => Promise<Result>,
  ): Promise<Result> => {
    try {
      return await pool.with(async (connection) => {
        await connection.commands(begin);
        const result = await use(connection);
        await connection.commands('commit');
        return result;
      });
    } catch (error) {
      throw errorOf(error);
    }
  };
  // Bitmap scans are enabled only here. A scan of all lists would read those of other parts.
  const reading = <Result>(use: (connection: Connection) => Promise<Result>) =>
    using(
      `begin isolation level repeatable read, read only; set local statement_timeout = ${askMsMax};
        set local enable_bitmapscan = on; set local enable_seqscan = off`,
      use,
    );
  const writing = <Result>(use: (connection: Connection) => Promise<Result>) =>
    using('begin; set local statement_timeout = 0', use);

  return {
    entries: (workspaceId, after) =>
      reading(async (connection): Promise<IndexEntries> => {
        const generation = await generationOf(connection, workspaceId);
        const { rows } = await connection.once(
          `select entry.id, part.name, entry.content_hash, entry.is_text
            from word_index_entry as entry join word_index_part as part on part.number = entry.part
            where entry.workspace_id = $1 and part.workspace_id = $1 and entry.id > $2 order by entry.id limit $3`,
          [workspaceId, after, entriesPageMax],
        );
        return {
          generation,
          entries: rows.map(({ id, name, content_hash, is_text }) => ({
            id: Number(id),
            part: String(name),
            contentHash: String(content_hash) as ContentHash,
            isText: Number(is_text) === 1,
          })),
        };
      }),

    holders: (workspaceId, scope, tokens) =>
      reading(async (connection): Promise<Holders> => {
        const generation = await generationOf(connection, workspaceId);
        const { rows } = await connection.once(
          'select max(id) as last from word_index_entry where workspace_id = $1',
          [workspaceId],
        );
        const ids = await findHolders(connection, workspaceId, scope, tokens);
        return { generation, last: Number(rows[0]?.last ?? 0), ids };
      }),

    async add(workspaceId, contents) {
      const outcome = await listing.ask(
        contents.map(({ bytes }) => bytes),
        {
          transfer: [...new Set(contents.map(({ bytes }) => bytes.buffer as ArrayBuffer))],
        },
      );
      if (outcome.kind === 'exhausted') throw new Error(`listing words took too much ${outcome.limit}`);
      await writing(async (connection) => {
        await connection.once(
          'insert into word_index (workspace_id, generation) values ($1, $2) on conflict do nothing',
          [workspaceId, randomUUID()],
        );
        // Entries become visible in the order of their ids: a node may have read a later one already.
        await connection.once('select 1 from word_index where workspace_id = $1 for update', [workspaceId]);
        for (const [at, { part, contentHash }] of contents.entries()) {
          const lists = outcome.result[at] ?? null;
          const number = await partNumber(connection, workspaceId, part);
          const { rows } = await connection.once(
            `insert into word_index_entry (workspace_id, part, content_hash, is_text) values ($1, $2, $3, $4)
              on conflict do nothing returning id`,
            [workspaceId, number, contentHash, lists === null ? 0 : 1],
          );
          const [row] = rows;
          if (row === undefined) continue;
          for (const { words, longWords } of lists ?? []) {
            // As bytes: encoding a large text here would block other requests.
            await connection.once(
              `insert into word_index_list (entry_id, label, words, long_words)
                values ($1, $2, convert_from($3::bytea, 'UTF8'), convert_from($4::bytea, 'UTF8'))`,
              [Number(row.id), labelOf(number), words, longWords],
            );
          }
        }
      });
    },

    remove: (workspaceId, ids) =>
      writing(async (connection) => {
        await connection.once('update word_index set generation = $2 where workspace_id = $1', [
          workspaceId,
          randomUUID(),
        ]);
        await connection.once(
          `with removed as (
            delete from word_index_entry where workspace_id = $1 and id = any(string_to_array($2, ' ')::bigint[]) returning id
          )
          delete from word_index_list where entry_id in (select id from removed)`,
          [workspaceId, ids.join(' ')],
        );
      }),

    clear: (workspaceId) =>
      writing(async (connection) => {
        const cleared = '$1::text is null or workspace_id = $1::text';
        await connection.once(`delete from word_index where ${cleared}`, [workspaceId]);
        await connection.once(
          `with removed as (delete from word_index_entry where ${cleared} returning id)
            delete from word_index_list where entry_id in (select id from removed)`,
          [workspaceId],
        );
        await connection.once(`delete from word_index_part where ${cleared}`, [workspaceId]);
      }),

    sizeBytes: () =>
      reading(async (connection) => {
        const { rows } = await connection.once(
          `select pg_total_relation_size('word_index_list') + pg_total_relation_size('word_index_entry') as bytes`,
          [],
        );
        return Number(rows[0]?.bytes ?? 0);
      }),

    async [Symbol.asyncDispose]() {
      breaker.close();
      await pool.close();
    },
  };
}

async function generationOf(connection: Connection, workspaceId: string): Promise<string> {
  const { rows } = await connection.once('select generation from word_index where workspace_id = $1', [
    workspaceId,
  ]);
  return String(rows[0]?.generation ?? 'none');
}

async function partNumber(connection: Connection, workspaceId: string, name: string): Promise<number> {
  await connection.once(
    'insert into word_index_part (workspace_id, name) values ($1, $2) on conflict do nothing',
    [workspaceId, name],
  );
  const { rows } = await connection.once(
    'select number from word_index_part where workspace_id = $1 and name = $2',
    [workspaceId, name],
  );
  return Number(rows[0]?.number);
}

async function findHolders(
  connection: Connection,
  workspaceId: string,
  scope: IndexScope,
  tokens: readonly AskedToken[],
): Promise<Holders['ids']> {
  if ('ids' in scope) return scanLists(connection, scope.ids, tokens);
  const { rows } = await connection.once(
    `select number from word_index_part where workspace_id = $1 and name = any(string_to_array($2, ' '))`,
    [workspaceId, ` ${scope.parts.join(' ')}`],
  );
  const labels = rows.map(({ number }) => labelOf(Number(number)));
  const found: (Float64Array | null)[] = [];
  for (const asked of tokens) {
    const token = indexTokenOf(asked);
    if (token === null || labels.length === 0) {
      found.push(token === null ? null : new Float64Array());
      continue;
    }
    const query = labels.map((label) => `'${label}${token.text}'${token.isPrefix ? ':*' : ''}`).join(' | ');
    const { rows: lists } = await connection.once(
      `select string_agg(entry_id::text, ',') as ids from word_index_list where ${indexedTokens} @@ $1::tsquery`,
      [query],
    );
    found.push(numbersIn(lists[0]?.ids));
  }
  return found;
}

/** Reads each list once for some tokens. */
async function scanLists(
  connection: Connection,
  ids: readonly number[],
  tokens: readonly AskedToken[],
): Promise<Holders['ids']> {
  const found: Float64Array[] = [];
  for (let from = 0; from < tokens.length; from += tokensAtOnce) {
    const patterns = tokens.slice(from, from + tokensAtOnce).map(patternOf);
    const bits = patterns.map((_, at) => `((strpos(list, $${at + 2}) > 0)::integer << ${at})`).join(' | ');
    // `offset 0` separates the queries: another join order would read every list.
    const { rows } = await connection.once(
      `select id, bits from unnest(string_to_array($1, ' ')::bigint[]) as wanted (id) cross join lateral (
        select ${bits} as bits from (
          select e'\\n' || words || e'\\n' || long_words || e'\\n' as list from word_index_list
            where entry_id = wanted.id offset 0
        ) as lists offset 0
      ) as found where bits > 0`,
      [ids.join(' '), ...patterns],
    );
    const having = rows.map(({ id, bits: of }) => ({ id: Number(id), bits: Number(of) }));
    found.push(...idsByBit(patterns.length, having));
  }
  return found;
}

/** A prefix that every token of a part has, and no other token. */
function labelOf(part: number): string {
  return `${part.toString(36)}:`;
}
