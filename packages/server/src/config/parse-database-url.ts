import type { z } from 'zod';

const looksLike =
  'must look like postgres://user:password@host:5432/database, with special characters as %XX (@ is %40)';

/** The address of a PostgreSQL database. Nothing of it is ever repeated in a problem: it may hold a password. */
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
