import { defineScript } from '../ports/script.ts';
import type { ServiceDeps } from '../service-deps.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** A few milliseconds of the writer. */
const rowsPerStep = 500;
const stepsMax = 2000;

export const forgetAuditScript = defineScript<{ readonly before: number; readonly limit: number }, number>(
  'audit.forget',
  async (tx, { before, limit }) => tx.write.forgetAuditEntries(before, limit),
);

/**
 * Forgets what the audit log has from before the retention. Several nodes may do it at once, and one that is cut off goes on
 * the next time.
 * @param days 0: nothing is forgotten.
 */
export async function forgetAudit(
  { store, clock }: Pick<ServiceDeps, 'store' | 'clock'>,
  days: number,
  signal?: AbortSignal,
): Promise<{ readonly forgotten: number }> {
  let forgotten = 0;
  if (days === 0) return { forgotten };
  const before = clock() - days * dayMs;
  for (let step = 0; step < stepsMax && signal?.aborted !== true; step += 1) {
    const rows = await store.transact(forgetAuditScript, { before, limit: rowsPerStep });
    forgotten += rows;
    if (rows < rowsPerStep) break;
  }
  return { forgotten };
}
