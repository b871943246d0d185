import type { ContentHash } from '@stoa/core';
import { z } from 'zod';

/** A path in a request. Only its type is checked here: core's `parseWorkspacePath` rejects it and names the reason. */
export function requestPath(description: string) {
  return z.string({ error: 'must be a path' }).meta({ description, examples: ['notes/plan.md'] });
}

export const pathInResponse = z
  .string()
  .meta({ description: 'Workspace-relative, separated by /, without a leading slash.' });

export const fileVersion = z
  .int()
  .min(1)
  .meta({ description: 'Starts at 1 and goes up by one with each accepted change.' });

export const isoTime = z.iso.datetime().meta({ description: 'Server time, ISO 8601 in UTC.' });

export const hash = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ description: 'SHA-256 of the bytes, lower-case hexadecimal.' });

const hashRule = 'must be a SHA-256 in lower-case hexadecimal';

/** A content hash in a query or a body. */
export function requestHash(description: string) {
  return z
    .string({ error: hashRule })
    .regex(/^[0-9a-f]{64}$/, { error: hashRule })
    .transform((text) => text as ContentHash)
    .meta({ description });
}
