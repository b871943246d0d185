/**
 * No answer came: the service was not reached, broke off, or took too long. Whether a change was made is not known; a
 * write with its precondition can be sent again, since the same bytes succeed twice.
 */
export class StoaConnectionError extends Error {
  override readonly name = 'StoaConnectionError';
}
