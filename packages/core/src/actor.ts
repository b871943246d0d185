import type { Principal } from './vocabulary.ts';

/** What a key is asked for as: whatever is not `agent` makes a human key. */
export function principalOf(actorType: unknown): Principal {
  return actorType === 'agent' ? 'agent' : 'human';
}

/** The names of keys that are made without one: account-wide, and of one workspace. */
export const accountKeyName = 'service-key';
export const workspaceKeyName = 'service-cli';

/** The acting credential. `keyId` and `keyLabel` are null for a browser session. */
export interface Actor {
  readonly principal: Principal;
  readonly userId: string;
  readonly keyId: string | null;
  /** The key's name at the time of the request. */
  readonly keyLabel: string | null;
  /** The person's name: names conflicted copies made from a browser session. */
  readonly userName: string;
}
