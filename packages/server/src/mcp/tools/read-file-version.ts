import { readWindowMaxBytes, tools } from '@stoa/contract';
import { invalidRequest, parseWorkspacePath } from '@stoa/core';
import { readVersion } from '../../service/files/read-file.ts';
import { findVersion } from '../find-version.ts';
import { readWindow } from '../read-window.ts';
import { workspaceTool } from '../tool.ts';

export const readFileVersionTool = workspaceTool(tools.readFileVersion, async ({ deps, access, input }) => {
  const path = parseWorkspacePath(input.path);
  const { version, encoding } = input;
  const named = {
    path,
    version,
    movedFrom: input.movedFrom === undefined ? null : parseWorkspacePath(input.movedFrom),
  };
  const { target, movedFrom, alsoAt } = await findVersion(deps, access, named);
  const readable = await readVersion(deps.service, access, target);
  const { sizeBytes, contentType } = readable.file;
  if (sizeBytes > readWindowMaxBytes) {
    const hash = target.contentHash === null ? '' : `&contentHash=${target.contentHash}`;
    const elsewhere = `GET ${deps.baseUrl}/api/workspaces/${access.workspace.id}/version?path=${encodeURIComponent(path)}&version=${version}${hash} reads it with your key`;
    throw invalidRequest(
      `Version ${version} of ${path} has ${sizeBytes} bytes, more than the ${readWindowMaxBytes} of one call: ${elsewhere}`,
    );
  }
  const window = { start: 0, maxBytes: readWindowMaxBytes };
  const { content } = await readWindow(readable, window, encoding);
  const name = movedFrom === null ? path : `${movedFrom} (now ${path})`;
  const next =
    alsoAt.length === 0
      ? {}
      : { next: `Version ${version} from before a move: add movedFrom "${alsoAt.join('" or "')}".` };
  return {
    text: [
      [`${name}, version ${version}, ${contentType}, ${sizeBytes} bytes.`, ...Object.values(next)].join(' '),
      content,
    ],
    data: { version, contentType, content, ...(movedFrom === null ? {} : { movedFrom }), ...next },
  };
});
