import type { OverlapTexts, QuotaError } from '@stoa/core';
import type { UnmergedConflict } from './schemas/conflict.ts';
import type { QuotaExceeded, VersionConflict, WriteConflict } from './schemas/outcome.ts';

/** Flat bodies of outcomes that are data (interface: files, Write; errors, Flat bodies). */

/** 412 of a write. */
export function writeConflictBody(outcome: {
  readonly currentVersion: number;
  readonly conflictCopyPath: string;
}): WriteConflict {
  return {
    error: 'version_conflict',
    current_version: outcome.currentVersion,
    conflict_copy_path: outcome.conflictCopyPath,
  };
}

/** 412 of a delete or a move. */
export function versionConflictBody(outcome: { readonly currentVersion: number }): VersionConflict {
  return { error: 'version_conflict', current_version: outcome.currentVersion };
}

/** 507. */
export function quotaExceededBody(outcome: QuotaError): QuotaExceeded {
  switch (outcome.kind) {
    case 'quota_exceeded':
    case 'history_exceeded':
      return { error: outcome.kind, used_bytes: outcome.usedBytes, limit_bytes: outcome.limitBytes };
    case 'file_count_exceeded':
      return { error: 'file_count_exceeded', used_files: outcome.usedFiles, limit_files: outcome.limitFiles };
  }
}

/** 409 of a conflict that cannot be merged. */
export function unmergedConflictBody({ shown, left }: OverlapTexts): UnmergedConflict {
  return {
    ok: false,
    error: 'lines_overlap',
    hunks: shown.map(({ line, base, mine, theirs }) => ({ line, base, current: theirs, copy: mine })),
    moreHunks: left,
  };
}
