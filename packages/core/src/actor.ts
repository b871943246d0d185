/** Who a change is recorded under: `agent` or `human`, decided by the credential and never by the endpoint. */
export type Principal = 'agent' | 'human';

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
