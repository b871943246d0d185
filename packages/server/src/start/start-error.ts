/** A reason why the server cannot start, as a message for its operator. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
