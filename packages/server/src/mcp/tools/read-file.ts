import { readWindowMaxBytes, tools } from '@stoa/contract';
import { parseWorkspacePath, WorkspaceError } from '@stoa/core';
import { readFile } from '../../service/files/read-file.ts';
import { contentAnswer } from '../content-answer.ts';
import { readWindow } from '../read-window.ts';
import { workspaceTool } from '../tool.ts';

export const readFileTool = workspaceTool(tools.readFile, async ({ deps, access, input }) => {
  const path = parseWorkspacePath(input.path);
  const readable = await readFile(deps.service, access, { path });
  const { sizeBytes } = readable.file;
  const { offset, maxBytes, encoding } = input;
  if (offset === undefined && maxBytes === undefined && sizeBytes > readWindowMaxBytes) {
    const windows = `call again with offset 0 and maxBytes ${readWindowMaxBytes}, then with each nextOffset`;
    throw new WorkspaceError(
      'invalid_request',
      {},
      `${path} has ${sizeBytes} bytes; one call reads at most ${readWindowMaxBytes}: ${windows}`,
    );
  }
  const window = { start: offset ?? 0, maxBytes: maxBytes ?? readWindowMaxBytes };
  return contentAnswer(path, readable.file, await readWindow(readable, window, encoding));
});
