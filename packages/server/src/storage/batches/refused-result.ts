import { WorkspaceError } from '@stoa/core';
import type { OperationResult } from './operation.ts';

/** The result of an operation whose script threw. */
export function refusedResult(error: unknown): OperationResult {
  if (error instanceof WorkspaceError) {
    return { kind: 'refused', code: error.code, details: error.details, message: error.message };
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { kind: 'failed', message, stack: stack ?? '' };
}
