import { type Caller, openWorkspace, type WorkspaceAccess } from '../../../src/service/access.ts';
import { registerPerson } from '../../../src/service/people/register-person.ts';
import type { ServiceDeps } from '../../../src/service/service-deps.ts';
import { createWorkspace } from '../../../src/service/workspaces/create-workspace.ts';
import { openService } from '../../support/open-service.ts';
import { signedIn } from '../../support/signed-in.ts';

/** The use cases of members and invites over a real store, with a clock that moves only on request. */
export interface OwnedWorkspace extends AsyncDisposable {
  readonly deps: Pick<ServiceDeps, 'store' | 'clock' | 'ids'> & { readonly seedWorkspaces: false };
  readonly owner: Caller;
  readonly workspaceId: string;
  advance(milliseconds: number): void;
  /** A person with an account and nothing else, signed in. */
  person(name: string): Promise<Caller>;
  access(caller: Caller): Promise<WorkspaceAccess>;
}

export async function openOwnedWorkspace(): Promise<OwnedWorkspace> {
  const service = await openService();
  const deps = { ...service.deps, seedWorkspaces: false } as const;
  const person = async (name: string): Promise<Caller> => {
    const profile = { email: `${deps.ids('mail')}@example.org`, name, password: 'not used here' };
    const userId = await registerPerson(deps, { kind: 'operator' }, profile, async () => 'no hash');
    return signedIn(deps.store, userId, name);
  };
  const owner = await person('Ada');
  const { id } = await createWorkspace(deps, owner, { name: 'Home', icon: null, color: null });
  return {
    deps,
    owner,
    workspaceId: id,
    person,
    advance: service.advance,
    access: (caller) => openWorkspace(deps, caller, id),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}
