import { applicationName, type Connection, connect } from './connection.ts';
import { rejectUnusable, type ServerFacts } from './reject-unusable.ts';

/** `schema` has no timeout, because migrations may take long. */
export type SessionUse = 'read' | 'write' | 'schema';

/** The client's timeout for a response is longer than the server's for a statement. */
const responseMsMax = 45_000;
/** Timeout for a lock that others hold. */
export const lockMsMax = 5_000;
const maximumMs = { statement: 30_000, lock: lockMsMax, idleWrite: 15_000, idleRead: 5 * 60_000 } as const;

/**
 * Opens a session with durable commits and timeouts for everything. Reads the server's settings for each session,
 * because a restart can change them.
 * @throws PostgresError when the server is unreachable, `UnusableDatabase` when it must not be used.
 */
export async function openSession(url: string, use: SessionUse): Promise<Connection> {
  const connection = await connect(url, use === 'schema' ? 0 : responseMsMax);
  try {
    rejectUnusable(await readFacts(connection));
    await connection.commands(settingsFor(use).join(';'));
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function settingsFor(use: SessionUse): readonly string[] {
  return [
    `set application_name = '${applicationName}'`,
    `set client_encoding = 'UTF8'`,
    `set bytea_output = 'hex'`,
    'set standard_conforming_strings = on',
    `set default_transaction_isolation = 'read committed'`,
    `set default_transaction_read_only = ${use === 'read' ? 'on' : 'off'}`,
    `set statement_timeout = ${maximumMs.statement}`,
    `set lock_timeout = ${maximumMs.lock}`,
    // Ends a silent session that holds a lock; a session that reads page by page may wait for a slow client.
    `set idle_in_transaction_session_timeout = ${use === 'read' ? maximumMs.idleRead : maximumMs.idleWrite}`,
    // Weaker settings of the server or the role would acknowledge changes that a crash or a fail-over loses.
    `select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') <> 'remote_apply'`,
    // Every query walks along one index and looks the rest up by key, whatever the statistics: one plan is enough. The
    // planner would prefer a hash of all privacy records for each row. A sequential scan locks the whole table in a
    // serializable transaction, and compiling a query takes longer than running it.
    'set plan_cache_mode = force_generic_plan',
    'set enable_seqscan = off',
    'set enable_bitmapscan = off',
    'set enable_hashjoin = off',
    'set enable_mergejoin = off',
    'set jit = off',
  ];
}

async function readFacts(connection: Connection): Promise<ServerFacts> {
  const { rows } = await connection.once(
    `select current_setting('server_version_num') as version, current_setting('fsync') as fsync,
      current_setting('full_page_writes') as full_page_writes, current_setting('server_encoding') as encoding,
      current_setting('transaction_read_only') as read_only, pg_is_in_recovery() as standby`,
    [],
  );
  const [server] = rows;
  if (server === undefined) throw new Error('the server returned no settings');
  return {
    version: Number(server.version),
    fsync: String(server.fsync),
    fullPageWrites: String(server.full_page_writes),
    encoding: String(server.encoding),
    isReadOnly: server.standby !== 0 || server.read_only !== 'off',
  };
}
