// docs/decisions/0014-plans-and-allowances.md

/** Null means unlimited. `fileBytes` limits a single file. */
export interface PlanLimits {
  readonly storageBytes: number | null;
  readonly files: number | null;
  readonly fileBytes: number | null;
  readonly workspaces: number | null;
}

export interface WorkspaceUsage {
  readonly usedBytes: number;
  readonly usedFiles: number;
}

export type QuotaRefusal =
  | { readonly kind: 'quota_exceeded'; readonly usedBytes: number; readonly limitBytes: number }
  | { readonly kind: 'file_count_exceeded'; readonly usedFiles: number; readonly limitFiles: number };

/**
 * Judges the net result of an operation, so that a replacement of the same size fits a full workspace, and an
 * operation that does not grow what is over its limit is never refused. When both limits are passed the bytes are
 * named. `used*` in a refusal is the usage before the operation.
 */
export function decideQuota(
  usage: WorkspaceUsage,
  limits: Pick<PlanLimits, 'storageBytes' | 'files'>,
  growth: { readonly bytes: number; readonly files: number },
): QuotaRefusal | null {
  const { storageBytes, files } = limits;
  if (storageBytes !== null && growth.bytes > 0 && usage.usedBytes + growth.bytes > storageBytes) {
    return { kind: 'quota_exceeded', usedBytes: usage.usedBytes, limitBytes: storageBytes };
  }
  if (files !== null && growth.files > 0 && usage.usedFiles + growth.files > files) {
    return { kind: 'file_count_exceeded', usedFiles: usage.usedFiles, limitFiles: files };
  }
  return null;
}

/** A plan's limit for one file, never above the server's own ceiling. Bytes. */
export function fileBytesLimit(limits: Pick<PlanLimits, 'fileBytes'>, serverMaxBytes: number): number {
  return limits.fileBytes === null ? serverMaxBytes : Math.min(limits.fileBytes, serverMaxBytes);
}
