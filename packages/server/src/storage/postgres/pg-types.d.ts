/** Types for the used part of the driver, which has none. */
declare module 'pg' {
  import type { EventEmitter } from 'node:events';

  export interface ClientConfig {
    readonly connectionString: string;
    readonly application_name?: string;
    readonly connectionTimeoutMillis?: number;
    readonly query_timeout?: number;
    readonly keepAlive?: boolean;
    readonly keepAliveInitialDelayMillis?: number;
    /** Sends queries without waiting for earlier results. */
    readonly pipeline?: boolean;
    readonly types?: TypeParsers;
  }

  export interface TypeParsers {
    getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown;
  }

  export interface QueryConfig {
    readonly text: string;
    /** Name of a prepared statement; the text must always be the same. */
    readonly name?: string;
    readonly values?: readonly (string | number | bigint | null | Uint8Array)[];
  }

  export interface QueryResult {
    /** The tag of the statement: `SELECT`, `COMMIT`, … */
    readonly command: string;
    readonly rows: readonly Readonly<Record<string, unknown>>[];
    readonly rowCount: number | null;
  }

  export interface Notification {
    readonly processId: number;
    readonly channel: string;
    readonly payload?: string;
  }

  export class Client extends EventEmitter<{
    error: [Error];
    end: [];
    notification: [Notification];
  }> {
    constructor(config: ClientConfig);
    /** The id of the server's process for this connection, once connected. */
    readonly processID: number | null;
    connect(): Promise<unknown>;
    query(config: QueryConfig): Promise<QueryResult>;
    /** One or several statements without parameters; several return a list of results. */
    query(text: string): Promise<QueryResult | readonly QueryResult[]>;
    /** `I` idle, `T` in a transaction, `E` in a failed one. */
    getTransactionStatus(): 'I' | 'T' | 'E' | null;
    end(): Promise<void>;
  }

  export function escapeLiteral(text: string): string;

  /** An error from the server itself. `code` is the SQLSTATE of five characters. */
  export class DatabaseError extends Error {
    readonly code: string | undefined;
  }
}
