import type { RouteOutline } from '@stoa/contract';

/**
 * Where a route is called, from `/api` on.
 * @throws TypeError for a `..` segment: it would be folded away before the service could refuse it.
 */
export function routeAddress(
  route: RouteOutline,
  params: Readonly<Record<string, string>>,
  query: Readonly<Record<string, unknown>>,
): string {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === '') throw new TypeError(`${route.id} needs ${name}`);
    return name === route.restOfPath ? encodePath(value) : encodeSegment(value);
  });
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const text = queryText(name, value);
    if (text !== null) fields.set(name, text);
  }
  return fields.size === 0 ? path : `${path}?${fields}`;
}

/**
 * A path as it stands in an address: each segment encoded, the slashes kept.
 * @throws TypeError for a `..` segment.
 */
export function encodePath(path: string): string {
  return path.split('/').map(encodeSegment).join('/');
}

function encodeSegment(segment: string): string {
  if (segment === '..') throw new TypeError('Invalid path: ".." is not allowed');
  return encodeURIComponent(segment);
}

/** Null for a value left out; a switch that is off is left out too. */
function queryText(name: string, value: unknown): string | null {
  if (value === undefined || value === false) return null;
  if (value === true) return '1';
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (value instanceof Date) return value.toISOString();
  throw new TypeError(`${name} must be a text, a number, a switch or a Date`);
}
