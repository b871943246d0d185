import type { Principal } from './vocabulary.ts';

/** Returns the principal of a requested key: every value except `agent` makes a human key. */
export function principalOf(actorType: unknown): Principal {
  return actorType === 'agent' ? 'agent' : 'human';
}

/** The default names of keys: account-wide, and of one workspace. */
export const accountKeyName = 'service-key';
export const workspaceKeyName = 'service-cli';

/** The acting credential. `keyId` and `keyLabel` are null for a browser session. */
export interface Actor {
  readonly principal: Principal;
  readonly userId: string;
  readonly keyId: string | null;
  /** The key's name at the time of the request. */
  readonly keyLabel: string | null;
  /** The user's name, which names conflicted copies made from a browser session. */
  readonly userName: string;
}
