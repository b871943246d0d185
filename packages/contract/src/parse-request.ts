import { invalidRequest } from '@stoa/core';
import type { z } from 'zod';

const issuesNamedMax = 3;

/**
 * Parses a query or a JSON body into the form that a handler uses.
 *
 * @param part names what is parsed if the error has no field: `body`, `query`, `arguments`
 * @throws WorkspaceError `invalid_request`, whose message names each field and its problem
 */
export function parseRequest<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  part: 'body' | 'query' | 'arguments',
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidRequest(describeIssues(result.error, part, value));
}

function describeIssues(error: z.ZodError, part: string, value: unknown): string {
  const texts = error.issues.slice(0, issuesNamedMax).map(({ path, message }) => {
    const field = path.map(String).join('.');
    // An agent that omits an argument does not look for a fault in its value.
    if (part === 'arguments' && field !== '' && message.startsWith('must ') && isMissing(value, path))
      return `${field} is missing: it ${message}`;
    return field === '' ? `The ${part}: ${message}` : `${field}: ${message}`;
  });
  const unnamed = error.issues.length - texts.length;
  return texts.join('; ') + (unnamed > 0 ? `; and ${unnamed} more` : '');
}

function isMissing(value: unknown, path: readonly PropertyKey[]): boolean {
  return (
    path.reduce((inner, name) => (Object(inner) as Record<PropertyKey, unknown>)[name], value) === undefined
  );
}
