import { WorkspaceError } from '@stoa/core';
import { type AuditNote, defineAuditedScript } from '../../../src/service/auditing/audited-script.ts';
import { defineScript, type Script } from '../../../src/service/ports/script.ts';
import type { Writer } from '../../../src/service/ports/transaction.ts';
import { together } from '../../../src/service/script-steps.ts';

/** One call of the writer: its method and arguments, as plain data. */
export type Step = {
  [Method in keyof Writer]: readonly [Method, ...Parameters<Writer[Method]>];
}[keyof Writer];

export type Ending = 'commit' | 'refuse' | 'fail';

/** Makes the given calls in one transaction and ends as requested. @returns the result of each call. */
export const stepsScript = defineScript<{ steps: readonly Step[]; ending: Ending }, unknown[]>(
  'test.steps',
  async (tx, { steps, ending }) => {
    const results: unknown[] = [];
    for (const [method, ...args] of steps) {
      const call = tx.write[method] as (...args: readonly unknown[]) => Promise<unknown>;
      results.push(await call(...args));
    }
    switch (ending) {
      case 'commit':
        return results;
      case 'refuse':
        throw new WorkspaceError('path_taken', { limitBytes: 7, path: 'a', none: null }, 'from the test');
      case 'fail':
        throw new Error('a bug of the script');
    }
  },
);

/** Makes the calls of each row one after the other, and the rows at once. */
export const togetherScript = defineScript<{ workspaceId: string; rows: readonly (readonly Step[])[] }, void>(
  'test.together',
  async (tx, { rows }) => {
    const makeCalls = async (steps: readonly Step[]) => {
      for (const [method, ...args] of steps) {
        const call = tx.write[method] as (...args: readonly unknown[]) => Promise<unknown>;
        await call(...args);
      }
    };
    await together(...rows.map(makeCalls));
  },
);

/** Records one change at the next seq. @returns the seq. */
export const appendScript = defineScript<{ workspaceId: string; path: string; note?: Uint8Array }, number>(
  'test.append',
  async (tx, { workspaceId, path }) => {
    const seq = await tx.write.takeSeqs(workspaceId, 1, { bytes: 0, files: 0 });
    await tx.write.insertChange({ ...plainChange(workspaceId, path), seq });
    return seq;
  },
);

export interface Asked {
  /** The results of the script's first steps, and the same values read by other queries. */
  readonly locked: unknown;
  readonly found: unknown;
  readonly role: unknown;
  readonly foundRole: unknown;
  readonly keyDeletedAt: unknown;
}

/** Runs the first reads of every change of a workspace. With a step, it then makes that change. */
export const askScript = defineScript<
  { workspaceId: string; userId: string; keyId: string | null; step: Step | null },
  Asked
>('test.ask', async (tx, { workspaceId, userId, keyId, step }) => {
  const [locked, existing] = await together(
    tx.write.lockWorkspace(workspaceId),
    tx.members.standing({ userId, workspaceId, keyId, sessionId: null }),
  );
  const found = await tx.workspaces.find(workspaceId);
  const foundRole = (await tx.members.find(workspaceId, userId))?.role ?? null;
  if (step !== null) {
    const [method, ...args] = step;
    await (tx.write[method] as (...args: readonly unknown[]) => Promise<unknown>)(...args);
  }
  const keyDeletedAt = existing.key?.deletedAt ?? null;
  return { locked, found, role: existing.role, foundRole, keyDeletedAt };
});

/** Makes one call, and records it in the audit log. */
export const auditedScript = defineAuditedScript<{ step: Step; note: AuditNote }, void>(
  'test.audited',
  async (tx, { step: [method, ...args], note }) => {
    await (tx.write[method] as (...args: readonly unknown[]) => Promise<unknown>)(...args);
    tx.noteAudit(note);
  },
);

/** A forbidden script: it waits for something outside its transaction. */
export const waitingScript = defineScript<null, void>('test.waiting', async () => {
  await new Promise((resolve) => setTimeout(resolve, 0));
});

export const storeScripts: readonly Script<never, unknown>[] = [
  stepsScript,
  togetherScript,
  appendScript,
  askScript,
  auditedScript,
  waitingScript,
];

export function plainChange(workspaceId: string, path: string) {
  return {
    workspaceId,
    path: path as never,
    op: 'write',
    version: 1,
    contentHash: null,
    createdAt: 1000,
    movedFrom: null,
    conflictOf: null,
    conflictBase: null,
    onlyUserId: null,
    exceptUserId: null,
    principal: 'agent',
    actorId: 'us_actor',
    actorKeyId: 'key_actor',
    actorLabel: 'Actor',
  } as const;
}
