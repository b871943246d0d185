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
  throw invalidRequest(describeIssues(result.error, part));
}

function describeIssues(error: z.ZodError, part: string): string {
  const texts = error.issues.slice(0, issuesNamedMax).map(({ path, message }) => {
    const field = path.map(String).join('.');
    return field === '' ? `The ${part}: ${message}` : `${field}: ${message}`;
  });
  const unnamed = error.issues.length - texts.length;
  return texts.join('; ') + (unnamed > 0 ? `; and ${unnamed} more` : '');
}
