import { tools } from '@stoa/contract';
import { parseWorkspacePath, WorkspaceError, type WorkspacePath, type WritePrecondition } from '@stoa/core';
import { refuseWriteEarly, writeFile } from '../../service/files/write-file.ts';
import type { WriteOutcome } from '../../service/files/write-outcome.ts';
import { contentArgument } from '../content-argument.ts';
import { largeContent } from '../large-message.ts';
import { quotaAnswer } from '../quota-answer.ts';
import { type ToolAnswer, workspaceTool } from '../tool.ts';

export const writeFileTool = workspaceTool(
  tools.writeFile,
  async ({ deps, access, input, content: large }) => {
    const path = parseWorkspacePath(input.path);
    const { baseVersion } = input;
    // A write without a base is one that creates: what is there already is never overwritten.
    const precondition: WritePrecondition =
      baseVersion === undefined
        ? { kind: 'absent' }
        : { kind: 'version', version: baseVersion, contentHash: null };
    const content = large === null ? contentArgument(input.content, input.encoding) : largeContent(large);
    await refuseWriteEarly(deps.service, access, { path, precondition, declaredBytes: content.sizeBytes });
    const outcome = await writeFile(deps.service, access, {
      path,
      precondition,
      onConflict: 'keep',
      contentType: null,
      body: content.chunks(),
      emptyAllowed: true,
    });
    return writeAnswer(path, outcome);
  },
);

function writeAnswer(path: WorkspacePath, outcome: WriteOutcome): ToolAnswer {
  switch (outcome.kind) {
    case 'created':
    case 'updated':
    case 'unchanged': {
      const { kind, version } = outcome;
      const done = { created: 'Created', updated: 'Updated', unchanged: 'Already the same content:' }[kind];
      return { text: `${done} ${path}, version ${version}.`, data: { ok: true, version } };
    }
    case 'conflict': {
      const { currentVersion, conflictCopyPath } = outcome;
      const next = `Read ${path} again, merge both, write with baseVersion ${currentVersion}, then delete the copy.`;
      return {
        text: `Not written: ${path} is at version ${currentVersion}. Your content is saved at ${conflictCopyPath}. ${next}`,
        data: { ok: false, currentVersion, conflictCopyPath, next },
      };
    }
    case 'quota_exceeded':
    case 'file_count_exceeded':
    case 'history_exceeded':
      return quotaAnswer(outcome);
    // No tool asks for these two.
    case 'refused':
    case 'precondition_required':
      throw new WorkspaceError('precondition_required');
  }
}
