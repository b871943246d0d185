import { z } from 'zod';
import type { SecretReader } from '../service/ports/secrets.ts';

/** Under which names a move is noted: in the database that it leaves, and in the one that it fills. */
export const markNames = { left: 'moved-to', filled: 'moving-here' } as const;

const leftShape = z.object({
  move: z.string(),
  /** Where to, as the settings describe it, without a password. */
  to: z.string(),
  isDone: z.boolean(),
});

const filledShape = z.object({
  move: z.string(),
  /** Whether large contents are brought to another place, or stay where they are. */
  contents: z.enum(['brought', 'stay']),
  /** The table that is being copied, and the key of its last row that is there; the tables before it are. */
  reached: z.object({ table: z.string(), after: z.array(z.union([z.string(), z.number()])) }).nullable(),
});

/** In a database that was, or is being, moved elsewhere: nobody starts it by mistake. */
export type LeftMark = z.infer<typeof leftShape>;
/** In a database that holds a part of another so far. */
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
