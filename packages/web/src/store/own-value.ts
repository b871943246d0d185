/**
 * The record's own value under an external name: a path, an address, a server response. Names such as `constructor` do
 * not find inherited properties.
 */
export function ownValue<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
