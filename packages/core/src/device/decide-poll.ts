import type { DeviceCodeFacts } from './device-code-state.ts';
import { devicePollIntervalSeconds } from './device-limits.ts';

export type PollDecision = 'consumed' | 'expired' | 'denied' | 'slow_down' | 'pending' | 'deliver';

/** What a poll of a known code comes to (specification: Device code; Poll responses). The first fault that holds counts. */
export function decidePoll(
  { state, expiresAt, lastPolledAt }: Pick<DeviceCodeFacts, 'state' | 'expiresAt' | 'lastPolledAt'>,
  now: number,
): PollDecision {
  if (state === 'consumed') return 'consumed';
  if (now >= expiresAt) return 'expired';
  if (state === 'denied') return 'denied';
  if (lastPolledAt !== null && now < lastPolledAt + devicePollIntervalSeconds * 1000) return 'slow_down';
  return state === 'approved' ? 'deliver' : 'pending';
}
