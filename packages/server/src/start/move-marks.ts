import { z } from 'zod';
import type { SecretReader } from '../service/ports/secrets.ts';

/** Names of the marks of a move: in the source database, and in the target database. */
export const markNames = { left: 'moved-to', filled: 'moving-here' } as const;

const leftShape = z.object({
  move: z.string(),
  /** The target, as the settings describe it, without a password. */
  to: z.string(),
  isDone: z.boolean(),
});

const filledShape = z.object({
  move: z.string(),
  /** Whether large contents are copied to another store or stay. */
  contents: z.enum(['brought', 'stay']),
  /** The table that is being copied, and the key of its last copied row; earlier tables are complete. */
  reached: z.object({ table: z.string(), after: z.array(z.union([z.string(), z.number()])) }).nullable(),
});

/** In a database that was, or is being, moved elsewhere: prevents starting it by mistake. */
export type LeftMark = z.infer<typeof leftShape>;
/** In a database that contains a part of another so far. */
export type FilledMark = z.infer<typeof filledShape>;

export async function readMarks(
  secrets: SecretReader,
): Promise<{ readonly left: LeftMark | null; readonly filled: FilledMark | null }> {
  const [left, filled] = [await secrets.find(markNames.left), await secrets.find(markNames.filled)];
  return {
    left: left === null ? null : leftShape.parse(JSON.parse(left)),
    filled: filled === null ? null : filledShape.parse(JSON.parse(filled)),
  };
}
