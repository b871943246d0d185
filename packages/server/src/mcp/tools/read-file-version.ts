import { readWindowMaxBytes, tools } from '@stoa/contract';
import { invalidRequest, parseWorkspacePath } from '@stoa/core';
import { readVersion } from '../../service/files/read-file.ts';
import { readWindow } from '../read-window.ts';
import { workspaceTool } from '../tool.ts';

export const readFileVersionTool = workspaceTool(tools.readFileVersion, async ({ deps, access, input }) => {
  const path = parseWorkspacePath(input.path);
  const { version, encoding } = input;
  const readable = await readVersion(deps.service, access, { path, version, contentHash: null });
  const { sizeBytes, contentType } = readable.file;
  if (sizeBytes > readWindowMaxBytes) {
    const elsewhere = `GET ${deps.baseUrl}/api/workspaces/${access.workspace.id}/version?path=${encodeURIComponent(path)}&version=${version} reads it with your key`;
    throw invalidRequest(
      `Version ${version} of ${path} has ${sizeBytes} bytes, more than the ${readWindowMaxBytes} of one call: ${elsewhere}`,
    );
  }
  const window = { start: 0, maxBytes: readWindowMaxBytes };
  const { content } = await readWindow(readable, window, encoding);
  return {
    text: [`${path}, version ${version}, ${contentType}, ${sizeBytes} bytes.`, content],
    data: { version, contentType, content },
  };
});
