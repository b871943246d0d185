import type { ObjectStore } from './object-store.ts';

/** Where a copy comes from, in the same bucket. All of our names are of characters that need no escape here. */
export function copySource({ bucket }: Pick<ObjectStore, 'bucket'>, name: string): string {
  return `${bucket}/${name}`;
}
