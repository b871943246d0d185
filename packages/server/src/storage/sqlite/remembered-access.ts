// docs/speed.md
import type { MemberRole } from '@stoa/core';
import type { KeyReader } from '../../service/ports/keys.ts';
import type { Reader } from '../../service/ports/reader.ts';
import type { WorkspaceRow } from '../../service/ports/workspaces.ts';
import type { Executor } from '../queries/executor.ts';
import type { Queries } from '../queries/queries.ts';
import { compileQuery, type Placeholders } from '../queries/query.ts';
import { sqliteDialect } from '../queries/query-dialect.ts';
import type { ReadSlot } from './read-slot.ts';

/** Keys and memberships are small; a workspace may have a theme of 64 KiB. */
const credentialsMax = 10_000;
const workspacesMax = 500;

const epochQuery = compileQuery((_: Placeholders<Record<never, never>>) =>
  sqliteDialect.db.selectFrom('access_epoch').select('epoch'),
);

/** State of the tick's snapshot: the epoch, and the requested workspaces. */
interface Seen {
  readonly snapshot: number;
  readonly epoch: number;
  readonly workspaces: Map<string, WorkspaceRow>;
}

/**
 * Caches keys, memberships and workspace settings, and validates them with one number from each snapshot. The database
 * increments it in the transaction of each change of them, in any process. Only successful lookups are cached. The
 * expiry of a key depends on the clock, so the caller checks it on each request.
 */
export function rememberAccess(
  reader: Reader,
  executor: Executor,
  { workspaces: queries }: Pick<Queries, 'workspaces'>,
  slot: ReadSlot,
): Reader {
  type FoundKey = NonNullable<Awaited<ReturnType<KeyReader['findByHash']>>>;
  const keys = createRemembered<FoundKey>(credentialsMax);
  const roles = createRemembered<MemberRole>(credentialsMax);
  const settings = createRemembered<WorkspaceRow>(workspacesMax);
  let last: Seen | null = null;

  /** Null when this snapshot was not queried yet: `see` does that. Most requests reuse another one's result. */
  function lastSeen(): Seen | null {
    return last !== null && last.snapshot === slot.snapshot ? last : null;
  }

  async function see(): Promise<Seen> {
    // The statement runs immediately, so it belongs to this snapshot.
    const snapshot = slot.begin();
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
        // User ids contain no space.
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
  /** The value that was read in this epoch; null when unknown. */
  at(epoch: number, name: string): Value | null;
  /** @param epoch from before or during the read of the value; an older one only expires sooner. */
  keep(epoch: number, name: string, value: Value): void;
}

/** Beyond `most` entries, the oldest one is removed. */
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
