import { z } from 'zod';

const looksLike =
  'must look like postgres://user:password@host:5432/database, with special characters as %XX (@ is %40)';

/** The address of a PostgreSQL database. Problems never repeat any part of it, because it may contain a password. */
export const databaseUrl = z
  .string()
  .refine(isPostgresUrl, { error: looksLike, abort: true })
  .refine(namesHost, { error: `must name a host: it ${looksLike}`, abort: true })
  .refine((text) => /^\/[^/]+$/.test(new URL(text).pathname), `must name a database: it ${looksLike}`);

function isPostgresUrl(text: string): boolean {
  if (!URL.canParse(text) || /\s/.test(text)) return false;
  const { protocol, hash } = new URL(text);
  return /^postgres(ql)?:$/.test(protocol) && hash === '';
}

function namesHost(text: string): boolean {
  const { hostname, searchParams } = new URL(text);
  return hostname !== '' || searchParams.has('host');
}

const redacted = '[redacted]';
/** Parameters of the connection that contain no secret. */
const shownParameters: ReadonlySet<string> = new Set(['host', 'port', 'sslmode', 'application_name']);

/** Returns a database's address without the password, wherever in the address it is. */
export function redactDatabaseUrl(text: string): string {
  const { protocol, username, password, host, pathname, searchParams } = new URL(text);
  const secret = password === '' ? '' : `:${redacted}`;
  const user = username === '' && password === '' ? '' : `${username}${secret}@`;
  const shown = [...searchParams].map(
    ([name, value]) => `${name}=${shownParameters.has(name) ? value : redacted}`,
  );
  const query = shown.length === 0 ? '' : `?${shown.join('&')}`;
  return `${protocol}//${user}${host}${pathname}${query}`;
}
