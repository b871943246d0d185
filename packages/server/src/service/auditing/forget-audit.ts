import { defineScript } from '../ports/script.ts';
import type { ServiceDeps } from '../service-deps.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Takes the writer a few milliseconds. */
const rowsPerStep = 500;
const stepsMax = 2000;

export const forgetAuditScript = defineScript<{ readonly before: number; readonly limit: number }, number>(
  'audit.forget',
  async (tx, { before, limit }) => tx.write.forgetAuditEntries(before, limit),
);

/**
 * Removes audit entries that are older than the retention. Several nodes may run it at once; the next run continues an
 * interrupted one.
 * @param days 0 keeps everything.
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
