/** Returns the observations of each person without the files that the load wrote. */
export function withoutLoad(
  observed: Readonly<Record<string, Seen>>,
  load: ReadonlyMap<string, { readonly text: string }>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(observed).map(([name, seen]) => [name, less(seen, load)]));
}

/** The fields of an observation that such files affect. */
export interface Seen {
  readonly head: number;
  readonly changes: readonly { readonly path: string }[];
  readonly versions: Readonly<Record<string, readonly { readonly contentHash: string }[] | null>>;
  readonly list: { readonly entries: readonly { readonly path: string; readonly size: number }[] };
  readonly usage: { readonly usedBytes: number; readonly usedFiles: number };
}

function less(seen: Seen, load: ReadonlyMap<string, unknown>): Seen {
  const { head, changes, list, usage } = seen;
  const earlier = changes.filter(({ path }) => !load.has(path));
  const entries = list.entries.filter(({ path }) => !load.has(path));
  const bytes = list.entries.reduce((sum, { path, size }) => (load.has(path) ? sum + size : sum), 0);
  const files = list.entries.length - entries.length;
  return {
    ...seen,
    head: head - (changes.length - earlier.length),
    changes: earlier,
    list: { ...list, entries },
    usage: { ...usage, usedBytes: usage.usedBytes - bytes, usedFiles: usage.usedFiles - files },
  };
}
