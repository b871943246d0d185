/** A move that cannot be begun or gone on with; its message says why, and what to do. */
export class RefusedMove extends Error {
  override readonly name = 'RefusedMove';
}
