import { createStore, type Store } from './store.ts';

/**
 * A small setting that this device remembers: a width, whether something is open. Where the browser keeps nothing it
 * holds until the page is left.
 */
export function createKept<Value>(
  key: string,
  parse: (text: string | null) => Value,
  write: (value: Value) => string,
): Store<Value> {
  const store = createStore(parse(read(key)));
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
