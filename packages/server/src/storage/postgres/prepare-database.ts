import type { Connection } from './connection.ts';
import { migrate } from './migrate.ts';
import { openSession } from './open-session.ts';
import { PostgresError } from './postgres-error.ts';
import { rejectSharedSessions } from './reject-shared-sessions.ts';
import { UnusableDatabase } from './reject-unusable.ts';
import { retryUntil, usualWaitMs } from './retry-until.ts';

/**
 * Checks at start whether the database can be used, and runs the migrations. Waits for a database that does not respond
 * yet, since both may have been started together.
 * @throws Error with a message for the operator. It never contains the password.
 */
export async function prepareDatabase(url: string, waitMs: number): Promise<void> {
  await withSession(url, waitMs, (connection) => migrate(connection));
}

/**
 * Whether the database contains an installation, of this release or another; changes nothing.
 * @throws Error as above.
 */
export async function isInstalledInPostgres(url: string): Promise<boolean> {
  return await withSession(url, usualWaitMs, async (connection) => {
    const { rows } = await connection.once(
      `select to_regclass('schema_migration') is not null as is_stoa`,
      [],
    );
    return rows[0]?.is_stoa === 1;
  });
}

async function withSession<Result>(
  url: string,
  waitMs: number,
  use: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  if (!URL.canParse(url)) {
    throw new Error(
      'The address of the database is not a URL of the form postgres://user:password@host:port/database.',
    );
  }
  const opened = await retryUntil<Connection>(performance.now() + waitMs, async () => {
    try {
      await rejectSharedSessions(url);
      return { kind: 'done', result: await openSession(url, 'schema') };
    } catch (reason) {
      if (reason instanceof PostgresError && reason.kind === 'lost') return { kind: 'again', reason };
      throw startError(url, reason);
    }
  });
  if (opened.kind === 'again') throw startError(url, opened.reason);
  const connection = opened.result;
  try {
    return await use(connection);
  } catch (error) {
    throw startError(url, error);
  } finally {
    await connection.close();
  }
}

export function startError(url: string, error: unknown): unknown {
  if (error instanceof UnusableDatabase) return error;
  if (!(error instanceof PostgresError)) return error;
  const { host, pathname } = new URL(url);
  const where = host + pathname;
  return error.kind === 'lost'
    ? new Error(
        `The database at ${where} does not respond (${error.message}): start it, or correct its address.`,
      )
    : new Error(
        `The database at ${where} cannot be used (${error.message}): check the address, and that its user may sign in and create tables.`,
      );
}
