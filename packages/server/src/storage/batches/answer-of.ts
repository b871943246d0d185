import { WorkspaceError } from '@stoa/core';
import type { BatchResult, ScriptResult } from './queued-script.ts';

/** The answer to the caller of the batch's script number `index`. */
export function answerOf(result: BatchResult, index: number): Error | { readonly outcome: unknown } {
  switch (result.kind) {
    case 'committed': {
      const one = result.results[index];
      if (one === undefined) return new Error('the writer left a script unanswered');
      return outcomeOf(one);
    }
    case 'rolled_back':
      return rolledBack(result.reason);
    case 'unknown':
      return new WorkspaceError(
        'overloaded',
        {},
        'The database stopped answering during this change, so it may or may not have been saved. Check before you repeat it.',
      );
    case 'fatal':
      return new Error(`The database failed: ${result.message}`);
  }
}

/** The answer for a change of which nothing was kept. */
export function rolledBack(reason: 'storage_full' | 'busy' | 'unreachable'): WorkspaceError {
  switch (reason) {
    case 'storage_full':
      return new WorkspaceError('storage_full');
    case 'busy':
      return new WorkspaceError(
        'overloaded',
        {},
        'The database is locked by other work. Nothing was changed: try again.',
      );
    case 'unreachable':
      return new WorkspaceError(
        'overloaded',
        {},
        'The database does not answer. Nothing was changed: try again.',
      );
  }
}

function outcomeOf(result: ScriptResult): Error | { readonly outcome: unknown } {
  switch (result.kind) {
    case 'done':
      return { outcome: result.outcome };
    case 'refused':
      return new WorkspaceError(result.code, result.details, result.message);
    case 'failed':
      return new Error(result.message, { cause: result.stack });
  }
}
