import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Caller,
  openWorkspace,
  type WorkspaceAccess,
} from '../../../src/service/access/workspace-access.ts';
import { registerPerson } from '../../../src/service/people/register-person.ts';
import type { ServiceDeps } from '../../../src/service/service-deps.ts';
import { createWorkspace } from '../../../src/service/workspaces/create-workspace.ts';
import { openTestStore } from '../../auth/support/open-test-store.ts';

/** The use cases of members and invites over a real store, with a clock that stands still until it is moved. */
export interface StartedService extends AsyncDisposable {
  readonly deps: Pick<ServiceDeps, 'store' | 'clock' | 'ids'> & { readonly seedWorkspaces: false };
  readonly owner: Caller;
  readonly workspaceId: string;
  advance(milliseconds: number): void;
  /** A person with an account and nothing else, signed in. */
  person(name: string): Promise<Caller>;
  access(caller: Caller): Promise<WorkspaceAccess>;
}

export async function startedService(): Promise<StartedService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'stoa-members-'));
  const store = await openTestStore(dataDir);
  let now = Date.UTC(2026, 10, 20, 14, 30, 0);
  const deps = {
    store,
    clock: () => now,
    ids: (prefix: string) => `${prefix}_${randomBytes(16).toString('hex')}`,
    seedWorkspaces: false,
  } as const;
  const person = async (name: string): Promise<Caller> => {
    const profile = { email: `${deps.ids('mail')}@example.org`, name, password: 'not used here' };
    const userId = await registerPerson(deps, { kind: 'operator' }, profile, async () => 'no hash');
    const actor = { principal: 'human', userId, keyId: null, keyLabel: null, userName: name } as const;
    return { actor, via: 'session', credentialId: 'session_1', scopedTo: null };
  };
  const owner = await person('Ada');
  const { id } = await createWorkspace(deps, owner, { name: 'Home', icon: null, color: null });
  return {
    deps,
    owner,
    workspaceId: id,
    person,
    advance(milliseconds) {
      now += milliseconds;
    },
    access: (caller) => openWorkspace(deps, caller, id),
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true });
    },
  };
}
