import type { z } from 'zod';

const looksLike =
  'must look like postgres://user:password@host:5432/database, with special characters as %XX (@ is %40)';

/**
 * Parses the address of a PostgreSQL database. Problems never repeat any part of it, because it may contain a
 * password.
 */
export function parseDatabaseUrl(text: string, context: z.RefinementCtx<string>): string {
  const problem = problemOf(text);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
  return text;
}

function problemOf(text: string): string | null {
  if (!URL.canParse(text)) return looksLike;
  const url = new URL(text);
  if (!/^postgres(ql)?:$/.test(url.protocol) || url.hash !== '' || /\s/.test(text)) return looksLike;
  if (url.hostname === '' && !url.searchParams.has('host')) return `must name a host: it ${looksLike}`;
  if (!/^\/[^/]+$/.test(url.pathname)) return `must name a database: it ${looksLike}`;
  return null;
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
