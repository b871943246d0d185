const types = new Map([
  ['md', 'text/markdown'],
  ['txt', 'text/plain'],
  ['json', 'application/json'],
]);
export const guess = (path: string) =>
  types.get(/\.([^./]+)$/.exec(path)?.[1] ?? '') ?? 'application/octet-stream';

/** A guessed type is guessed again for another path. */
export const transferredType = (type: string, from: string, to: string) =>
  type === guess(from) ? guess(to) : type;

export const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

export const isUnder = (prefix: string, path: string) =>
  prefix === '' || path === prefix || path.startsWith(`${prefix}/`);

export const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
