import { tools } from '@stoa/contract';
import { invalidRequest } from '@stoa/core';
import { workspaceRecord } from '../../records/workspace-record.ts';
import { uploadWorkspaceImage } from '../../service/workspaces/upload-workspace-image.ts';
import { contentArgument } from '../content-argument.ts';
import { workspaceTool } from '../tool.ts';

export const setWorkspaceImageIconTool = workspaceTool(
  tools.setWorkspaceImageIcon,
  async ({ deps, access, input }) => {
    const image = contentArgument(input.content, 'base64');
    if (image.sizeBytes === 0) throw invalidRequest('content: the image is empty');
    const uploaded = await uploadWorkspaceImage(deps.service, access, {
      declaredBytes: image.sizeBytes,
      body: image.chunks(),
    });
    const { id, name, icon } = workspaceRecord(deps, { ...access.workspace, icon: uploaded });
    return { text: `The icon of the workspace ${name} (${id}) is now ${icon}.`, data: { id, name, icon } };
  },
);
