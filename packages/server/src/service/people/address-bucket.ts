import { isIPv4, isIPv6 } from 'node:net';

/** A network whose attempts are counted together. */
export interface AddressNetwork {
  readonly name: string;
  /** Limit of the whole network, as a multiple of the limit of one address. */
  readonly share: number;
}

/**
 * Returns the rate limit bucket of a client address: an IPv4 address, or the /64 of an IPv6 one, because one customer
 * can send from a whole /64. An IPv4-mapped IPv6 address counts as IPv4.
 */
export function addressBucket(address: string): string {
  const [own] = addressNetworks(address);
  return own.name;
}

/**
 * Returns that bucket and the wider networks around it, narrowest first. A customer may have a /56 or a /48, a provider
 * a /32, and none of them may use up the shared limit.
 */
export function addressNetworks(address: string): readonly [AddressNetwork, ...AddressNetwork[]] {
  const [bare = ''] = address.split('%');
  if (isIPv4(bare)) return ipv4Networks(bare);
  if (!isIPv6(bare)) return [{ name: 'unknown', share: 1 }];
  const groups = expandIpv6(bare);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return ipv4Networks(ipv4Of(groups[6] ?? 0, groups[7] ?? 0));
  const [, , , fourth = 0] = groups;
  const part = (count: number) => groups.slice(0, count).map((group) => group.toString(16));
  return [
    { name: `${part(4).join(':')}::/64`, share: 1 },
    { name: `${[...part(3), (fourth & 0xff00).toString(16)].join(':')}::/56`, share: 5 },
    { name: `${part(3).join(':')}::/48`, share: 20 },
    { name: `${part(2).join(':')}::/32`, share: 50 },
  ];
}

function ipv4Networks(address: string): readonly [AddressNetwork, ...AddressNetwork[]] {
  const parts = address.split('.');
  return [
    { name: address, share: 1 },
    { name: `${parts.slice(0, 3).join('.')}.0/24`, share: 5 },
    { name: `${parts.slice(0, 2).join('.')}.0.0/16`, share: 20 },
  ];
}

/** The eight 16-bit groups of a valid IPv6 address. */
function expandIpv6(address: string): number[] {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const left = groupsOf(head);
  if (tail === undefined) return left;
  const right = groupsOf(tail);
  return [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right];
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

function ipv4Of(high: number, low: number): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}
