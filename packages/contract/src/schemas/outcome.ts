import { z } from 'zod';
import { fileVersion, pathInResponse } from './path.ts';

/** 412 of a write: the bytes are kept in a new file next to it. */
export const writeConflict = z
  .object({
    error: z.literal('version_conflict'),
    current_version: fileVersion,
    conflict_copy_path: pathInResponse.meta({
      description: 'The new file that holds the bytes of this write.',
    }),
  })
  .meta({ id: 'WriteConflict' });
export type WriteConflict = z.infer<typeof writeConflict>;

/** 412 of a delete, a move, or a write with `conflict=refuse`: nothing was changed or kept. */
export const versionConflict = z
  .object({ error: z.literal('version_conflict'), current_version: fileVersion })
  .meta({ id: 'VersionConflict' });
export type VersionConflict = z.infer<typeof versionConflict>;

/** 412 of a write. The first match counts, so put the conflicted copy first: it is never overlooked. */
export const rejectedOrKept = z.union([writeConflict, versionConflict]);

/** 409 of a restore: the restored bytes are kept in a new file next to it. */
export const restoreConflict = z
  .object({
    error: z.literal('restore_conflicted'),
    current_version: fileVersion,
    conflict_copy_path: pathInResponse,
  })
  .meta({ id: 'RestoreConflict' });
export type RestoreConflict = z.infer<typeof restoreConflict>;

const storageQuotaExceeded = z
  .object({
    error: z.literal('quota_exceeded'),
    used_bytes: z.int().meta({ description: 'In use before this operation.' }),
    limit_bytes: z.int(),
  })
  .meta({ id: 'StorageQuotaExceeded' });

export const fileCountExceeded = z
  .object({
    error: z.literal('file_count_exceeded'),
    used_files: z.int().meta({ description: 'Files before this operation.' }),
    limit_files: z.int(),
  })
  .meta({ id: 'FileCountExceeded' });

/** Earlier versions and deleted files use all the storage that the plan gives them. */
export const historyExceeded = z
  .object({
    error: z.literal('history_exceeded'),
    used_bytes: z.int().meta({ description: 'Of versions that are not current, before this operation.' }),
    limit_bytes: z.int(),
  })
  .meta({ id: 'HistoryExceeded' });

/** 507: nothing was written. */
export const quotaExceeded = z.union([storageQuotaExceeded, fileCountExceeded, historyExceeded]);
export type QuotaExceeded = z.infer<typeof quotaExceeded>;
