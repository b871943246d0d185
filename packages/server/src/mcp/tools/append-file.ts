import { extendedTools } from '@stoa/contract';
import { parseWorkspacePath } from '@stoa/core';
import { appendFile } from '../../service/editing/append-file.ts';
import { quotaAnswer } from '../quota-answer.ts';
import { workspaceTool } from '../tool.ts';

export const appendFileTool = workspaceTool(extendedTools.appendFile, async ({ deps, access, input }) => {
  const path = parseWorkspacePath(input.path);
  const outcome = await appendFile(deps.service, access, { path, text: input.content });
  switch (outcome.kind) {
    case 'created':
    case 'updated': {
      const { version, sizeBytes: size } = outcome;
      const done = outcome.kind === 'created' ? 'Created' : 'Added to';
      return {
        text: `${done} ${path}, version ${version}, ${size} bytes.`,
        data: { ok: true, version, size },
      };
    }
    case 'quota_exceeded':
    case 'file_count_exceeded':
    case 'history_exceeded':
      return quotaAnswer(outcome);
  }
});
