/** A command that was understood and not carried out: its message says why, and what to do about it. */
export class RefusedCommand extends Error {
  override readonly name = 'RefusedCommand';
}
