import { type Connection, connect } from './connection.ts';
import { UnusableDatabase } from './reject-unusable.ts';

const responseMsMax = 10_000;
/** A pooler may by chance assign one client the same session twice. */
const rounds = 3;

/**
 * Rejects a pooler in transaction mode, which gives each transaction any free session of the server. Settings,
 * timeouts, `synchronous_commit`, prepared statements and `listen` would belong to another client a moment later.
 * Detects it by the server's process ids: without such a pooler, two clients have different ids, and keep them. No
 * setting is changed before that, since it would affect the pooler's other clients.
 * @throws UnusableDatabase; PostgresError when the server is unreachable.
 */
export async function rejectSharedSessions(url: string): Promise<void> {
  const clients: Connection[] = [];
  try {
    for (let opened = 0; opened < 2; opened += 1) clients.push(await connect(url, responseMsMax));
    const processes = clients.map(() => new Set<unknown>());
    for (let round = 0; round < rounds; round += 1) {
      for (const [i, client] of clients.entries()) {
        const { rows } = await client.once('select pg_backend_pid() as process', []);
        processes[i]?.add(rows[0]?.process);
      }
    }
    const all = new Set(processes.flatMap((seen) => [...seen]));
    if (all.size === clients.length && processes.every((seen) => seen.size === 1)) return;
    throw new UnusableDatabase(
      'The address of the database is that of a pooler that lends a session for one transaction only (PgBouncer calls it transaction mode): name the server itself, or a pool of whole sessions; where connections are few, lower STOA_DATABASE_POOL.',
      { losesCommits: false },
    );
  } finally {
    await Promise.all(clients.map((client) => client.close()));
  }
}
