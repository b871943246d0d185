const redacted = '[redacted]';
/** Parameters that say how a database is reached and hold no secret. */
const shownParameters: ReadonlySet<string> = new Set(['host', 'port', 'sslmode', 'application_name']);

/** A database's address as it may be shown: without the password, wherever in it that stands. */
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
