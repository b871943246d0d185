/** A weight of 0 refuses a coding; what is not a number counts as accepted, as most servers take it. */
const refusing = /^\s*q\s*=\s*0(?:\.0{0,3})?\s*$/i;

/**
 * The first of the codings there are that a client takes; null for the bytes as they are, which every client takes.
 * @param acceptEncoding the header as it was sent, null when it was not.
 */
export function chooseCoding<Coding extends string>(
  acceptEncoding: string | null,
  there: Iterable<Coding>,
): Coding | null {
  if (acceptEncoding === null) return null;
  const accepted = new Map<string, boolean>();
  for (const element of acceptEncoding.split(',')) {
    const [name = '', ...parameters] = element.split(';');
    accepted.set(name.trim().toLowerCase(), !parameters.some((parameter) => refusing.test(parameter)));
  }
  for (const coding of there) {
    if (accepted.get(coding) ?? accepted.get('*') ?? false) return coding;
  }
  return null;
}
