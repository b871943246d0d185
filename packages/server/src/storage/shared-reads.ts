// docs/speed.md
import type { Existing } from '../service/ports/members.ts';
import type { Transaction, Writer } from '../service/ports/transaction.ts';
import type { WorkspaceRow, WorkspaceWriter } from '../service/ports/workspaces.ts';

/** A transaction for several scripts, with a cache of their common reads. */
export interface SharedReads {
  readonly tx: Transaction;
  /** Clears the cache: after a rollback, and before scripts that were queued later. */
  forget(): void;
}

/**
 * Changes that do not affect workspace settings, memberships or credentials; `takeSeqs` changes counters that the cache
 * follows. Any other change clears the cache.
 */
const harmless: ReadonlySet<keyof Writer> = new Set<keyof Writer>([
  'lockWorkspace',
  'takeSeqs',
  'putFile',
  'removeFile',
  'insertVersion',
  'insertChange',
  'keepBlob',
  'keepFrontMatter',
  'leaveUnread',
]);

/**
 * Every script that changes a workspace first reads its row and the caller's access status. Within one transaction the
 * results stay the same until a script changes their tables, so they are read once.
 *
 * @param tx in which no other transaction changes the workspace once it is locked
 */
export function shareReads(tx: Transaction): SharedReads {
  const workspaces = new Map<string, WorkspaceRow>();
  const standings = new Map<string, Existing>();
  /** Increases whenever a running read may return an earlier state. */
  let state = 0;
  const forget = () => {
    state += 1;
    workspaces.clear();
    standings.clear();
  };
  return {
    forget,
    tx: {
      ...tx,
      members: {
        ...tx.members,
        async standing(question) {
          const { userId, workspaceId, keyId, sessionId } = question;
          const asked = JSON.stringify([userId, workspaceId, keyId, sessionId]);
          const known = standings.get(asked);
          if (known !== undefined) return known;
          const askedIn = state;
          const existing = await tx.members.standing(question);
          if (askedIn === state) standings.set(asked, existing);
          return existing;
        },
      },
      write: {
        ...forgettingBefore(tx.write, forget),
        async lockWorkspace(workspaceId) {
          const known = workspaces.get(workspaceId);
          if (known !== undefined) return known;
          const askedIn = state;
          const workspace = await tx.write.lockWorkspace(workspaceId);
          if (workspace !== null && askedIn === state) workspaces.set(workspaceId, workspace);
          return workspace;
        },
        takeSeqs(workspaceId, count, growth) {
          const known = workspaces.get(workspaceId);
          if (known === undefined) state += 1;
          else workspaces.set(workspaceId, grown(known, count, growth));
          return tx.write.takeSeqs(workspaceId, count, growth);
        },
      },
    },
  };
}

/** The row after `takeSeqs`. */
function grown(
  workspace: WorkspaceRow,
  count: number,
  { bytes = 0, files = 0, historyBytes = 0, comments = 0 }: Parameters<WorkspaceWriter['takeSeqs']>[2],
): WorkspaceRow {
  return {
    ...workspace,
    seq: workspace.seq + count,
    usedBytes: workspace.usedBytes + bytes,
    usedFiles: workspace.usedFiles + files,
    historyBytes: workspace.historyBytes + historyBytes,
    comments: workspace.comments + comments,
  };
}

function forgettingBefore(write: Writer, forget: () => void): Writer {
  const wrapped = Object.entries(write).map(([name, change]) => {
    if (harmless.has(name as keyof Writer)) return [name, change];
    return [
      name,
      (...given: unknown[]) => {
        forget();
        return change(...given);
      },
    ];
  });
  // The same names with the same arguments.
  return Object.fromEntries(wrapped) as Writer;
}
