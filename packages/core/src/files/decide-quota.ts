// docs/decisions/0014-plans-and-allowances.md
// docs/decisions/0034-history-has-a-ceiling.md

/** Null means unlimited. `fileBytes` limits a single file, `historyBytes` what is kept of versions that are not current. */
export interface PlanLimits {
  readonly storageBytes: number | null;
  readonly files: number | null;
  readonly fileBytes: number | null;
  readonly historyBytes: number | null;
  readonly workspaces: number | null;
}

/** What a workspace holds: its files in `used*`, their earlier versions and those of deleted files in `historyBytes`. */
export interface WorkspaceUsage {
  readonly usedBytes: number;
  readonly usedFiles: number;
  readonly historyBytes: number;
}

/** What an operation adds to each part of the usage. */
export interface UsageGrowth {
  readonly bytes: number;
  readonly files: number;
  readonly historyBytes: number;
}

/** A full workspace: nothing was written. `used*` is from before the operation. */
export type QuotaRefusal =
  | { readonly kind: 'quota_exceeded'; readonly usedBytes: number; readonly limitBytes: number }
  | { readonly kind: 'file_count_exceeded'; readonly usedFiles: number; readonly limitFiles: number }
  /** Here the bytes are those of history. */
  | { readonly kind: 'history_exceeded'; readonly usedBytes: number; readonly limitBytes: number };

/** Of putting `sizeBytes` in the place of the current version, or where there is none. */
export function growthBy(sizeBytes: number, current: { readonly sizeBytes: number } | null): UsageGrowth {
  return current === null
    ? { bytes: sizeBytes, files: 1, historyBytes: 0 }
    : { bytes: sizeBytes - current.sizeBytes, files: 0, historyBytes: current.sizeBytes };
}

/** Of deleting: all its bytes are history now. Deletes are never judged, so history can pass its limit by them. */
export function growthByDeleting({ sizeBytes }: { readonly sizeBytes: number }): UsageGrowth {
  return { bytes: -sizeBytes, files: -1, historyBytes: sizeBytes };
}

/**
 * Judges the net result of an operation that brings bytes, so that a replacement of the same size fits a full workspace,
 * and an operation that does not grow what is over its limit is never refused. Of several limits that are passed the
 * bytes are named first, then the files. `used*` in a refusal is the usage before the operation.
 *
 * Where history is over its limit, a new file is refused too: else writing and deleting in turn would fill any disk. Files
 * and history together never hold more than both limits.
 */
export function decideQuota(
  usage: WorkspaceUsage,
  limits: Pick<PlanLimits, 'storageBytes' | 'files' | 'historyBytes'>,
  growth: UsageGrowth,
): QuotaRefusal | null {
  const { storageBytes, files, historyBytes } = limits;
  if (storageBytes !== null && growth.bytes > 0 && usage.usedBytes + growth.bytes > storageBytes) {
    return { kind: 'quota_exceeded', usedBytes: usage.usedBytes, limitBytes: storageBytes };
  }
  if (files !== null && growth.files > 0 && usage.usedFiles + growth.files > files) {
    return { kind: 'file_count_exceeded', usedFiles: usage.usedFiles, limitFiles: files };
  }
  const keepsMore = growth.bytes > 0 || growth.historyBytes > 0;
  if (historyBytes !== null && keepsMore && usage.historyBytes + growth.historyBytes > historyBytes) {
    return { kind: 'history_exceeded', usedBytes: usage.historyBytes, limitBytes: historyBytes };
  }
  return null;
}

/** A plan's limit for one file, never above the server's own ceiling. Bytes. */
export function fileBytesLimit(limits: Pick<PlanLimits, 'fileBytes'>, serverMaxBytes: number): number {
  return limits.fileBytes === null ? serverMaxBytes : Math.min(limits.fileBytes, serverMaxBytes);
}
