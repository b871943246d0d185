// A quota judges the net result, so a full workspace can be tidied. Deletes always succeed.
// docs/decisions/0006-file-ids.md

/** Null means unlimited. `fileBytes` limits a single file, `historyBytes` the stored versions that are not current. */
export interface PlanLimits {
  readonly storageBytes: number | null;
  readonly files: number | null;
  readonly fileBytes: number | null;
  readonly historyBytes: number | null;
  readonly workspaces: number | null;
}

/**
 * The usage of a workspace: its files in `used*`; their earlier versions and those of deleted files in `historyBytes`.
 */
export interface WorkspaceUsage {
  readonly usedBytes: number;
  readonly usedFiles: number;
  readonly historyBytes: number;
}

/** The growth of each part of the usage by an operation. */
export interface UsageGrowth {
  readonly bytes: number;
  readonly files: number;
  readonly historyBytes: number;
}

/** The workspace is full and the operation wrote nothing. `used*` is the usage before the operation. */
export type QuotaError =
  | { readonly kind: 'quota_exceeded'; readonly usedBytes: number; readonly limitBytes: number }
  | { readonly kind: 'file_count_exceeded'; readonly usedFiles: number; readonly limitFiles: number }
  /** Here the bytes are those of the history. */
  | { readonly kind: 'history_exceeded'; readonly usedBytes: number; readonly limitBytes: number };

/** Growth by storing `sizeBytes` as a new file or in place of the current version. */
export function growthBy(sizeBytes: number, current: { readonly sizeBytes: number } | null): UsageGrowth {
  return current === null
    ? { bytes: sizeBytes, files: 1, historyBytes: 0 }
    : { bytes: sizeBytes - current.sizeBytes, files: 0, historyBytes: current.sizeBytes };
}

/**
 * Growth by a delete: all bytes become history. Deletes are never rejected, so they can push the history over its
 * limit.
 */
export function growthByDeleting({ sizeBytes }: { readonly sizeBytes: number }): UsageGrowth {
  return { bytes: -sizeBytes, files: -1, historyBytes: sizeBytes };
}

/**
 * Judges the net result of an operation that stores bytes. So a replacement of the same size fits in a full workspace,
 * and an operation that does not increase the usage is never rejected for it. If several limits are exceeded, the error
 * names the bytes first, then the files. `used*` in an error is the usage before the operation.
 *
 * If the history is over its limit, a new file is rejected as well; otherwise alternate writes and deletes would fill
 * any disk. Files and history together never exceed the sum of both limits.
 */
export function decideQuota(
  usage: WorkspaceUsage,
  limits: Pick<PlanLimits, 'storageBytes' | 'files' | 'historyBytes'>,
  growth: UsageGrowth,
): QuotaError | null {
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

/** Returns a plan's limit for one file, at most the server's own limit. Bytes. */
export function fileBytesLimit(limits: Pick<PlanLimits, 'fileBytes'>, serverMaxBytes: number): number {
  return limits.fileBytes === null ? serverMaxBytes : Math.min(limits.fileBytes, serverMaxBytes);
}
