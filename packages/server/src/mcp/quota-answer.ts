import type { QuotaRefusal } from '@stoa/core';
import type { DataAnswer } from './tool.ts';

/**
 * The result of a write to a full workspace: nothing was written, and the agent can react (interface: mcp, Results).
 */
export function quotaAnswer(outcome: QuotaRefusal): DataAnswer {
  const next = 'Delete what is not needed, or tell the person you work for; get_usage shows the limits.';
  switch (outcome.kind) {
    case 'quota_exceeded': {
      const { usedBytes, limitBytes } = outcome;
      return {
        text: `Nothing was written: the storage is full (quotaExceeded), ${usedBytes} of ${limitBytes} bytes are used. ${next}`,
        data: { ok: false, quotaExceeded: true, usedBytes, limitBytes, next },
      };
    }
    case 'file_count_exceeded': {
      const { usedFiles, limitFiles } = outcome;
      return {
        text: `Nothing was written: no further file is allowed (fileCountExceeded), ${usedFiles} of ${limitFiles} are used. ${next}`,
        data: { ok: false, fileCountExceeded: true, usedFiles, limitFiles, next },
      };
    }
    case 'history_exceeded': {
      const { usedBytes, limitBytes } = outcome;
      const askFor = 'Deleting does not help: tell the person you work for.';
      return {
        text: `Nothing was written: earlier versions and deleted files take all the room that they have (historyExceeded), ${usedBytes} of ${limitBytes} bytes. ${askFor}`,
        data: { ok: false, historyExceeded: true, usedBytes, limitBytes, next: askFor },
      };
    }
  }
}
