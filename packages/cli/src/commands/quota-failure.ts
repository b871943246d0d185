import type { QuotaOutcome } from '@stoa/client';
import { sizeText } from '@stoa/core';
import { Failure } from '../output/failure.ts';

/** Failure for a full workspace. Nothing was written. */
export function quotaFailure(outcome: QuotaOutcome): Failure {
  const next = 'Delete what is not needed, or ask an owner for a larger plan.';
  switch (outcome.kind) {
    case 'quota_exceeded':
      return new Failure({
        code: outcome.kind,
        message: `The workspace is full: ${sizeText(outcome.usedBytes)} of ${sizeText(outcome.limitBytes)} are used. Nothing was written.`,
        next,
      });
    case 'file_count_exceeded':
      return new Failure({
        code: outcome.kind,
        message: `The workspace holds ${outcome.usedFiles} of ${outcome.limitFiles} files. Nothing was written.`,
        next,
      });
    case 'history_exceeded':
      return new Failure({
        code: outcome.kind,
        message: `The workspace keeps ${sizeText(outcome.usedBytes)} of earlier versions, and ${sizeText(outcome.limitBytes)} are allowed. Nothing was written.`,
        next: 'Ask an owner for a larger plan.',
      });
  }
}
