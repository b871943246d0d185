// docs/decisions/0026-postgresql-by-lanes.md

/**
 * Statements of a script that need nothing of each other's answers. They are sent without waiting in between, so that a
 * database on another machine is asked once; it carries them out one after the other, in the order given.
 *
 * Settles when all have ended, also where one fails: a script that went on after its failure would write into its
 * neighbours' transaction.
 * @throws the failure of the first in order that failed.
 */
export async function together<const Steps extends readonly Promise<unknown>[]>(
  ...steps: Steps
): Promise<{ -readonly [At in keyof Steps]: Awaited<Steps[At]> }> {
  try {
    return await Promise.all(steps);
  } catch {
    await Promise.allSettled(steps);
    return await Promise.all(steps);
  }
}
