import { createStore, type Store } from './store.ts';

/**
 * A small setting that this device remembers, such as a width. If the browser stores nothing, it lasts until the page
 * is left.
 */
export function createKept<Value>(
  key: string,
  parse: (text: string | null) => Value,
  write: (value: Value) => string,
): Store<Value> {
  const store = createStore(parse(read(key)));
  resets.set(key, () => store.set(parse(null)));
  return {
    ...store,
    set: (value) => {
      store.set(value);
      try {
        localStorage.setItem(key, write(value));
      } catch {
        return;
      }
    },
  };
}

/** Resets the values of this page, by key. */
const resets = new Map<string, () => void>();
/** Keys whose values contain names of files and folders, or searches. */
const withPaths = /^stoa\.(?:recent\.|searches\.|unfolded$)/;

/** Forgets the files and folders that were opened on this device, and the searches, in all workspaces. */
export function forgetPaths(): void {
  for (const [key, reset] of resets) if (withPaths.test(key)) reset();
  try {
    for (const key of Object.keys(localStorage)) if (withPaths.test(key)) localStorage.removeItem(key);
  } catch {
    return;
  }
}

export function keptNumber(
  key: string,
  bounds: { readonly min: number; readonly max: number },
  first: number,
) {
  const parse = (text: string | null) => {
    const value = text === null ? Number.NaN : Number(text);
    return Number.isFinite(value) ? Math.min(bounds.max, Math.max(bounds.min, value)) : first;
  };
  return createKept(key, parse, String);
}

export function keptSwitch(key: string, first: boolean) {
  return createKept(
    key,
    (text) => (text === null ? first : text === 'on'),
    (on) => (on ? 'on' : 'off'),
  );
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
