import { z } from 'zod';

const dateTime = z.iso.datetime({ offset: true });
const expected =
  'must be an ISO 8601 timestamp, for example 2026-11-20T14:30:12Z (write a + in it as %2B in an address)';

/**
 * An ISO 8601 date, or date and time, in a query string. Without a zone it is UTC, so that the result does not depend
 * on the server's location.
 */
export function timestamp(description: string) {
  return z
    .string({ error: expected })
    .transform((text, context) => {
      const full = withTimeAndZone(text);
      if (dateTime.safeParse(full).success) return new Date(full);
      context.addIssue({ code: 'custom', message: expected });
      return z.NEVER;
    })
    .meta({ type: 'string', format: 'date-time', description });
}

function withTimeAndZone(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return `${text}T00:00:00Z`;
  // Query strings decode a raw + as a space. Before a zone it can only have been a +.
  const restored = text.replace(/ (\d{2}:?\d{2})$/, '+$1');
  return /(?:[Zz]|[+-]\d{2}:?\d{2})$/.test(restored) ? restored.toUpperCase() : `${restored}Z`;
}
