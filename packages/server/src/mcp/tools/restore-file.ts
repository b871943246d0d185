import { tools } from '@stoa/contract';
import { parseWorkspacePath } from '@stoa/core';
import { restoreFile } from '../../service/files/restore-file.ts';
import { quotaAnswer } from '../quota-answer.ts';
import { workspaceTool } from '../tool.ts';

export const restoreFileTool = workspaceTool(tools.restoreFile, async ({ deps, access, input }) => {
  const path = parseWorkspacePath(input.path);
  const { targetVersion } = input;
  const outcome = await restoreFile(deps.service, access, {
    path,
    version: targetVersion,
    contentHash: null,
  });
  switch (outcome.kind) {
    case 'restored': {
      const { version } = outcome;
      return {
        text: `Restored ${path} from version ${targetVersion}; it is at version ${version} now.`,
        data: { status: 'ok', version, restoredFrom: targetVersion },
      };
    }
    case 'quota_exceeded':
    case 'file_count_exceeded':
    case 'history_exceeded':
      return quotaAnswer(outcome);
  }
});
