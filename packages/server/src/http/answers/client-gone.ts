/** The client left, or stopped reading, while its answer was sent. Nobody's fault: there is no one left to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}
