/** A move that cannot begin or continue. Its message says why, and what to do. */
export class RejectedMove extends Error {
  override readonly name = 'RejectedMove';
}
