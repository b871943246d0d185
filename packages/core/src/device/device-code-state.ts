/** As kept. That a code has expired is not kept: the time says it. */
export type DeviceCodeState = 'pending' | 'approved' | 'denied' | 'consumed';

/** What the decisions need to know of a device code. Times are milliseconds since the epoch. */
export interface DeviceCodeFacts {
  readonly state: DeviceCodeState;
  readonly expiresAt: number;
  readonly lastPolledAt: number | null;
  /** The person who looked it up or approved it first. */
  readonly claimedBy: string | null;
}
