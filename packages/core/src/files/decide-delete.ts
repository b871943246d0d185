export type DeleteDecision =
  | { readonly kind: 'delete'; readonly version: number }
  | { readonly kind: 'conflict'; readonly currentVersion: number };

/** Decides a delete or the taking away of a move's source: only the version that the caller saw may go. */
export function decideDelete(currentVersion: number, expectedVersion: number): DeleteDecision {
  return currentVersion === expectedVersion
    ? { kind: 'delete', version: currentVersion }
    : { kind: 'conflict', currentVersion };
}
