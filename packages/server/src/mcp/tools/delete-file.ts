import { tools } from '@stoa/contract';
import { invalidRequest, parseWorkspacePath } from '@stoa/core';
import { deleteFile } from '../../service/files/delete-file.ts';
import { workspaceTool } from '../tool.ts';

export const deleteFileTool = workspaceTool(tools.deleteFile, async ({ deps, access, restores, input }) => {
  const path = parseWorkspacePath(input.path);
  const { baseVersion } = input;
  const expected = { version: baseVersion, contentHash: null };
  const outcome = await deleteFile(deps.service, access, { path, expected });
  switch (outcome.kind) {
    case 'deleted':
      return {
        text: `Deleted ${path}, which was at version ${outcome.version}. ${
          restores
            ? `restore_file with targetVersion ${outcome.version} brings it back.`
            : `read_file_version with version ${outcome.version} reads it.`
        }`,
      };
    case 'conflict':
      throw invalidRequest(
        `Nothing was deleted: ${path} is at version ${outcome.currentVersion}, not ${baseVersion}. Read it again; if it should still go, delete it with baseVersion ${outcome.currentVersion}.`,
      );
  }
});
