import { currentActor, currentAddress } from '../auditing/origin.ts';
import { addressBucket } from './address-bucket.ts';

/**
 * The key of the active request in queues: its user, its network before the user is known, or the service itself. One
 * client may have all addresses of its network.
 */
export function currentParty(): string {
  const actor = currentActor();
  if (actor !== null) return actor.userId;
  const address = currentAddress();
  return address === null ? 'service' : addressBucket(address);
}
