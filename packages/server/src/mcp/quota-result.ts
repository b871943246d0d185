import type { QuotaError } from '@stoa/core';
import type { DataResponse } from './tool.ts';

/**
 * The result of a write to a full workspace: nothing was written, and the agent can react (interface: mcp, Results).
 * @param first what else the agent has to know before the next write, with a space at its end
 */
export function quotaResponse(outcome: QuotaError, first = ''): DataResponse {
  const next = `${first}Delete what is not needed, or tell the person you work for; get_usage shows the limits.`;
  switch (outcome.kind) {
    case 'quota_exceeded': {
      const { usedBytes, limitBytes } = outcome;
      return {
        text: `Nothing was written: it does not fit into the storage (quotaExceeded), ${usedBytes} of ${limitBytes} bytes are used. ${next}`,
        data: { ok: false, quotaExceeded: true, usedBytes, limitBytes, next },
      };
    }
    case 'file_count_exceeded': {
      const { usedFiles, limitFiles } = outcome;
      return {
        text: `Nothing was written: it needs one more file than the plan allows (fileCountExceeded), ${usedFiles} of ${limitFiles} are used. ${next}`,
        data: { ok: false, fileCountExceeded: true, usedFiles, limitFiles, next },
      };
    }
    case 'history_exceeded': {
      const { usedBytes, limitBytes } = outcome;
      const askFor = `${first}Deleting does not help: tell the person you work for.`;
      return {
        text: `Nothing was written: it needs more history than the plan allows (historyExceeded), earlier versions and deleted files use ${usedBytes} of ${limitBytes} bytes. ${askFor}`,
        data: { ok: false, historyExceeded: true, usedBytes, limitBytes, next: askFor },
      };
    }
  }
}
