import { type CurrentFile, isCurrent, type SeenVersion } from './content.ts';

export type DeleteDecision =
  | { readonly kind: 'delete'; readonly version: number }
  | { readonly kind: 'conflict'; readonly currentVersion: number };

/** Decides a delete or the removal of a move's source: only the version that the caller saw may be removed. */
export function decideDelete(
  current: Pick<CurrentFile, 'version' | 'contentHash'>,
  seen: SeenVersion,
): DeleteDecision {
  return isCurrent(current, seen)
    ? { kind: 'delete', version: current.version }
    : { kind: 'conflict', currentVersion: current.version };
}
