// docs/decisions/0069-access-is-remembered-by-an-epoch.md
import type { MemberRole } from '@stoa/core';
import type { KeyReader } from '../../service/ports/keys.ts';
import type { Reader } from '../../service/ports/reader.ts';
import type { WorkspaceRow } from '../../service/ports/workspaces.ts';
import type { Executor } from '../queries/executor.ts';
import type { Queries } from '../queries/queries.ts';
import { compileQuery, type Placeholders } from '../queries/query.ts';
import { sqliteDialect } from '../queries/query-dialect.ts';
import type { ReadTurn } from './read-turn.ts';

/** Keys and memberships are small; a workspace may carry 64 KiB of theme. */
const credentialsMax = 10_000;
const workspacesMax = 500;

const epochQuery = compileQuery((_: Placeholders<Record<never, never>>) =>
  sqliteDialect.db.selectFrom('access_epoch').select('epoch'),
);

/** What the turn's snapshot says: the epoch, and the workspaces that were asked for. */
interface Seen {
  readonly snapshot: number;
  readonly epoch: number;
  readonly workspaces: Map<string, WorkspaceRow>;
}

/**
 * Remembers keys, memberships and the settings of workspaces, and asks each snapshot for one number instead: the database
 * itself moves it in the transaction of every change of them, whoever makes it. Only what lets somebody in is remembered.
 * Whether a key has expired is a matter of the clock, and is asked on each request by whoever asks for the key.
 */
export function rememberAccess(
  reader: Reader,
  executor: Executor,
  { workspaces: queries }: Pick<Queries, 'workspaces'>,
  turn: ReadTurn,
): Reader {
  type FoundKey = NonNullable<Awaited<ReturnType<KeyReader['findByHash']>>>;
  const keys = createRemembered<FoundKey>(credentialsMax);
  const roles = createRemembered<MemberRole>(credentialsMax);
  const settings = createRemembered<WorkspaceRow>(workspacesMax);
  let last: Seen | null = null;

  /** Null when this snapshot has not been asked yet: `see` does. Most requests find another's answer. */
  function lastSeen(): Seen | null {
    return last !== null && last.snapshot === turn.snapshot ? last : null;
  }

  async function see(): Promise<Seen> {
    // The statement is run when it is called, so it is one of this snapshot.
    const snapshot = turn.begin();
    const row = await epochQuery.get(executor, {});
    if (row === undefined) throw new Error('the database has no access epoch');
    last = { snapshot, epoch: row.epoch, workspaces: new Map() };
    return last;
  }

  async function currentWorkspace(seen: Seen, workspaceId: string): Promise<WorkspaceRow | null> {
    const known = settings.at(seen.epoch, workspaceId);
    if (known === null) return null;
    const counters = await queries.counters.get(executor, { workspaceId });
    if (counters === undefined) return null;
    const workspace = { ...known, ...counters };
    seen.workspaces.set(workspaceId, workspace);
    return workspace;
  }

  return {
    ...reader,
    keys: {
      ...reader.keys,
      async findByHash(secretHash) {
        const { epoch } = lastSeen() ?? (await see());
        const known = keys.at(epoch, secretHash);
        if (known !== null) return known;
        const found = await reader.keys.findByHash(secretHash);
        if (found !== null) keys.keep(epoch, secretHash, found);
        return found;
      },
    },
    workspaces: {
      ...reader.workspaces,
      async findWithRole(workspaceId, userId) {
        const seen = lastSeen() ?? (await see());
        // No person's id has a blank in it.
        const membership = `${userId} ${workspaceId}`;
        const role = roles.at(seen.epoch, membership);
        const workspace =
          role === null
            ? null
            : (seen.workspaces.get(workspaceId) ?? (await currentWorkspace(seen, workspaceId)));
        if (workspace !== null) return { workspace, role };
        const found = await reader.workspaces.findWithRole(workspaceId, userId);
        if (found !== null && found.role !== null) {
          roles.keep(seen.epoch, membership, found.role);
          settings.keep(seen.epoch, workspaceId, found.workspace);
        }
        return found;
      },
    },
  };
}

interface Remembered<Value> {
  /** What was read when the epoch was this one; null when that is not known. */
  at(epoch: number, name: string): Value | null;
  /** @param epoch as it was before the value was read, or when: an older one is only forgotten sooner. */
  keep(epoch: number, name: string, value: Value): void;
}

/** Beyond `most` the one that was kept first goes. */
function createRemembered<Value>(most: number): Remembered<Value> {
  const kept = new Map<string, { readonly epoch: number; readonly value: Value }>();
  return {
    at(epoch, name) {
      const found = kept.get(name);
      return found?.epoch === epoch ? found.value : null;
    },
    keep(epoch, name, value) {
      kept.delete(name);
      kept.set(name, { epoch, value });
      if (kept.size <= most) return;
      for (const oldest of kept.keys()) {
        kept.delete(oldest);
        return;
      }
    },
  };
}
