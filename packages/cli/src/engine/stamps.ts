import type { Stamp } from '@stoa/core';

/**
 * Stamp to store for a file written within the last two seconds. A later write may leave the same stamp. No file has
 * this one, so the next scan reads the file again.
 */
export function distrusted(stamp: Stamp): Stamp {
  return `${stamp}:recent` as Stamp;
}

/**
 * Stamp to store for a renamed file. A write at the last moment may be included in its new stamp, so the next scan must
 * read the file.
 */
export function unread(stamp: Stamp): Stamp {
  return `${stamp}:unread` as Stamp;
}

/** Whether a file is the one in the base, even if it was too recent to be trusted then. */
export function isOfBase(known: Stamp | null | undefined, stamp: Stamp): boolean {
  return known === stamp || known === distrusted(stamp);
}
