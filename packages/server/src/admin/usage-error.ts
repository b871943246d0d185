/** The command line is not one that this program understands; nothing was done. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
