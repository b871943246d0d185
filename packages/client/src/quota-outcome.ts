import type { QuotaExceeded } from '@stoa/contract';
import { readOutcome } from './read-json.ts';

/** The workspace is full. Nothing was written. `used*` is the usage before. */
export type QuotaOutcome =
  | { readonly kind: 'quota_exceeded'; readonly usedBytes: number; readonly limitBytes: number }
  | { readonly kind: 'file_count_exceeded'; readonly usedFiles: number; readonly limitFiles: number };

/** What a 507 says. */
export async function readQuotaOutcome(response: Response): Promise<QuotaOutcome> {
  const body = await readOutcome<QuotaExceeded>(response, ['quota_exceeded', 'file_count_exceeded']);
  switch (body.error) {
    case 'quota_exceeded':
      return { kind: 'quota_exceeded', usedBytes: body.used_bytes, limitBytes: body.limit_bytes };
    case 'file_count_exceeded':
      return { kind: 'file_count_exceeded', usedFiles: body.used_files, limitFiles: body.limit_files };
  }
}
