import { useEffect, useState } from 'react';

/** Debounces a value, so that typing causes one request. */
export function useSettled<Value extends string | object>(value: Value, afterMs: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), afterMs);
    return () => clearTimeout(timer);
  }, [value, afterMs]);
  return settled;
}
