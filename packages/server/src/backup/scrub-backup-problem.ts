import type { Config } from '../config/parse-config.ts';
import { listBackups } from './manifest.ts';

/** Checks the backup directory for repairs before it is needed. Returns the problem, or null. */
export async function scrubBackupProblem({
  scrubBackup,
  scrubDays,
}: Pick<Config, 'scrubBackup' | 'scrubDays'>): Promise<string | null> {
  if (scrubBackup === null) return null;
  const nothing = 'damaged contents will not be restored';
  if (scrubDays === 0) return `STOA_SCRUB_DAYS is 0, so STOA_SCRUB_BACKUP is not used: ${nothing}`;
  try {
    if ((await listBackups(scrubBackup)).length > 0) return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `STOA_SCRUB_BACKUP (${scrubBackup}) cannot be read, and until it can, ${nothing}: ${reason}`;
  }
  return `there is no backup in STOA_SCRUB_BACKUP (${scrubBackup}), and until there is, ${nothing}`;
}
