import type { RouteRow } from '@stoa/contract';

/**
 * Returns the address of a route, from `/api` on.
 * @throws TypeError for a `..` segment, which would be resolved before the service could reject it
 */
export function routeAddress(
  route: RouteRow,
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
 * Encodes a path for an address: each segment, keeping the slashes.
 * @throws TypeError for a `..` segment
 */
export function encodePath(path: string): string {
  return path.split('/').map(encodeSegment).join('/');
}

function encodeSegment(segment: string): string {
  if (segment === '..') throw new TypeError('Invalid path: ".." is not allowed');
  return encodeURIComponent(segment);
}

/** Returns null for an absent value and for a switch that is off. */
function queryText(name: string, value: unknown): string | null {
  if (value === undefined || value === false) return null;
  if (value === true) return '1';
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (value instanceof Date) return value.toISOString();
  throw new TypeError(`${name} must be a text, a number, a switch or a Date`);
}
