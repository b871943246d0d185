import { extendedTools } from '@stoa/contract';
import { parseWorkspacePath, WorkspaceError } from '@stoa/core';
import { appendFile } from '../../service/editing/append-file.ts';
import { nothingChanged } from '../../service/editing/editing.ts';
import { formerPathText, movedResponse } from '../former-path-text.ts';
import { quotaResponse } from '../quota-result.ts';
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
    case 'departed': {
      const gone = await formerPathText(deps, access, path, true);
      // The file came back in between.
      if (gone === null) throw new WorkspaceError('overloaded', {}, nothingChanged);
      if (gone.former.kind === 'moved') return movedResponse('Nothing was added', path, gone);
      const { version } = gone.former;
      const next = `${gone.next} write_file without baseVersion begins a new one.`;
      return {
        text: `Nothing was added: ${path} ${gone.what}. ${next}`,
        data: { ok: false, error: 'deleted', version, next },
      };
    }
    case 'quota_exceeded':
    case 'file_count_exceeded':
    case 'history_exceeded':
      return quotaResponse(outcome);
  }
});
