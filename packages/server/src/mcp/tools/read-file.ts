import { readWindowMaxBytes, tools } from '@stoa/contract';
import { invalidRequest, parseWorkspacePath } from '@stoa/core';
import { readFile } from '../../service/files/read-file.ts';
import { readWindow } from '../read-window.ts';
import { workspaceTool } from '../tool.ts';

export const readFileTool = workspaceTool(tools.readFile, async ({ deps, access, input }) => {
  const path = parseWorkspacePath(input.path);
  const readable = await readFile(deps.service, access, { path, opens: 'surely' });
  const { version, contentType, sizeBytes } = readable.file;
  const { offset, maxBytes, encoding } = input;
  if (offset === undefined && maxBytes === undefined && sizeBytes > readWindowMaxBytes) {
    const windows = `call again with offset 0 and maxBytes ${readWindowMaxBytes}, then with each nextOffset`;
    throw invalidRequest(
      `${path} has ${sizeBytes} bytes; one call reads at most ${readWindowMaxBytes}: ${windows}`,
    );
  }
  const window = { start: offset ?? 0, maxBytes: maxBytes ?? readWindowMaxBytes };
  const { content, nextOffset } = await readWindow(readable, window, encoding);
  const rest = nextOffset === null ? 'to its end' : `not to its end: continue with offset ${nextOffset}`;
  return {
    // The facts, then the content unchanged.
    text: [`${path}, version ${version}, ${contentType}, ${sizeBytes} bytes, ${rest}.`, content],
    data: { version, contentType, content, size: sizeBytes, nextOffset },
  };
});
