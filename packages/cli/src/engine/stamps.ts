import type { Stamp } from '@stoa/core';

/**
 * The stamp to keep of a file that was written within the last two seconds: a later write may leave the same one, so it
 * is kept as one that no file has, and the file is read again by the next scan.
 */
export function distrusted(stamp: Stamp): Stamp {
  return `${stamp}:recent` as Stamp;
}

/**
 * The stamp to keep of a file that was renamed: whoever wrote into it in the last moment changed what the new stamp stands
 * for, so that the next scan reads it.
 */
export function unread(stamp: Stamp): Stamp {
  return `${stamp}:unread` as Stamp;
}

/** Whether a file is as the base has it, though it was too young to be believed then. */
export function isOfBase(known: Stamp | null | undefined, stamp: Stamp): boolean {
  return known === stamp || known === distrusted(stamp);
}
