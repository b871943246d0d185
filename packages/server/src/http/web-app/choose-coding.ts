/** A weight of 0 rejects a coding. An invalid weight counts as accepted, as in most servers. */
const rejecting = /^\s*q\s*=\s*0(?:\.0{0,3})?\s*$/i;

/**
 * Returns the first available coding that a client accepts; null for the plain bytes, which every client accepts.
 * @param acceptEncoding the header as it was sent, or null
 */
export function chooseCoding<Coding extends string>(
  acceptEncoding: string | null,
  there: Iterable<Coding>,
): Coding | null {
  if (acceptEncoding === null) return null;
  const accepted = new Map<string, boolean>();
  for (const element of acceptEncoding.split(',')) {
    const [name = '', ...parameters] = element.split(';');
    accepted.set(name.trim().toLowerCase(), !parameters.some((parameter) => rejecting.test(parameter)));
  }
  for (const coding of there) {
    if (accepted.get(coding) ?? accepted.get('*') ?? false) return coding;
  }
  return null;
}
