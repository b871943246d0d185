import { setTimeout as pause } from 'node:timers/promises';
import { Client, type QueryConfig, type QueryResult } from 'pg';
import type { SqlValue } from '../queries/executor.ts';
import { columnParsers } from './column-parsers.ts';
import { PostgresError } from './postgres-error.ts';

/** One session with the server. Every method throws `PostgresError`. */
export interface Connection {
  /** No longer usable: the holder must release it. */
  readonly isBroken: boolean;
  readonly isInTransaction: boolean;
  /** Id of the server process, by which a notification names its sender. */
  readonly processId: number | null;
  /** Runs a frequent statement, as a prepared statement. */
  repeated(sql: string, values: readonly SqlValue[]): Promise<QueryResult>;
  /** Runs a statement that is built at run time. */
  once(sql: string, values: readonly SqlValue[]): Promise<QueryResult>;
  /** Runs statements without parameters, separated by `;`, in one message. @returns the last one's result. */
  commands(text: string): Promise<QueryResult>;
  onNotification(listener: (from: number | null, payload: string) => void): void;
  onEnd(listener: () => void): void;
  close(): Promise<void>;
}

export const applicationName = 'stoa';
const connectMsMax = 10_000;
const keepAliveAfterMs = 10_000;
const goodbyeMsMax = 2_000;
/** Each uses memory on the server, in each of its sessions. */
const preparedMax = 500;

const preparedNames = new Map<string, string>();

/**
 * Only connects: the session has the server's settings.
 * @param answerMsMax without a response by then, the connection counts as lost; 0 disables the timeout.
 * @throws PostgresError
 */
export async function connect(url: string, responseMsMax: number): Promise<Connection> {
  const client = new Client({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: connectMsMax,
    query_timeout: responseMsMax,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    pipeline: true,
    types: columnParsers,
  });
  let isBroken = false;
  const ended = () => {
    isBroken = true;
  };
  // Without a listener, the end of an idle connection would end the process.
  client.on('error', ended);
  client.on('end', ended);
  try {
    await client.connect();
  } catch (error) {
    void client.end().catch(() => undefined);
    throw new PostgresError(error);
  }

  const guarded = async <Result>(query: Promise<Result>): Promise<Result> => {
    try {
      return await query;
    } catch (error) {
      const failure = new PostgresError(error);
      // Another server may be the primary by now.
      if (failure.kind === 'lost' || failure.kind === 'read_only') isBroken = true;
      throw failure;
    }
  };
  const send = (config: QueryConfig) => guarded(client.query(config));
  return {
    get isBroken() {
      return isBroken;
    },
    get isInTransaction() {
      return client.getTransactionStatus() !== 'I';
    },
    processId: client.processID,
    repeated: (sql, values) => send({ text: sql, values, ...preparedAs(sql) }),
    once: (sql, values) => send({ text: sql, values }),
    async commands(text) {
      const results = await guarded(client.query(text));
      const last = 'command' in results ? results : results.at(-1);
      if (last === undefined) throw new Error('no statement was sent');
      return last;
    },
    onNotification(listener) {
      client.on('notification', ({ processId, payload }) => listener(processId, payload ?? ''));
    },
    onEnd: (listener) => void client.once('end', listener),
    async close() {
      isBroken = true;
      // A server that is stopped or unreachable does not respond to the end.
      await Promise.race([
        client.end().catch(() => undefined),
        pause(goodbyeMsMax, undefined, { ref: false }),
      ]);
    },
  };
}

function preparedAs(sql: string): { readonly name?: string } {
  const known = preparedNames.get(sql);
  if (known !== undefined) return { name: known };
  if (preparedNames.size >= preparedMax) return {};
  const name = `stoa_${preparedNames.size}`;
  preparedNames.set(sql, name);
  return { name };
}
