import type { BigIntStats } from 'node:fs';
import type { ObjectId, Stamp } from '@stoa/core';

export function stampOf(found: BigIntStats): Stamp {
  return `${found.dev}:${found.ino}:${found.size}:${found.mtimeNs}:${found.ctimeNs}` as Stamp;
}

export function objectOf(found: BigIntStats): ObjectId {
  return `${found.dev}:${found.ino}:${found.birthtimeNs}` as ObjectId;
}

/** Text that changes with a write, but not with a rename or a second name. */
export function printOf(found: BigIntStats): string {
  return `${found.ino}:${found.size}:${found.mtimeNs}`;
}

export function permissionsOf(found: BigIntStats): number {
  return Number(found.mode & 0o777n);
}

/** Within this time of a write, a later write may leave the same stamp. */
const recentNs = 2_000_000_000n;

/** Both times are from the same disk, not from this machine's clock. */
export function isRecent(found: BigIntStats, nowNs: bigint): boolean {
  const age = nowNs - found.mtimeNs;
  return age < recentNs && age > -recentNs;
}
