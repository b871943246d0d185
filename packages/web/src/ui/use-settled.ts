import { useEffect, useState } from 'react';

/** A value once it has stayed the same for a moment: what is asked for while somebody types is asked for once. */
export function useSettled<Value extends string | object>(value: Value, afterMs: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), afterMs);
    return () => clearTimeout(timer);
  }, [value, afterMs]);
  return settled;
}
