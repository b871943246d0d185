import { routes } from '@stoa/contract';
import { iconAddress } from '../../../records/icon-address.ts';
import { uploadWorkspaceImage } from '../../../service/workspaces/upload-workspace-image.ts';
import { operation } from '../../operation.ts';
import { declaredBytes } from '../../request/headers.ts';
import { bodyPace, readBody } from '../../request/read-body.ts';
import { json } from '../../responses/response.ts';

export const uploadWorkspaceIconOperation = operation(
  routes.uploadWorkspaceIcon,
  async ({ deps, access, raw, response }) => {
    const icon = await uploadWorkspaceImage(deps.service, access, {
      declaredBytes: declaredBytes(raw),
      body: readBody(raw, response, bodyPace),
    });
    return json(200, { icon: iconAddress(deps.baseUrl, access.workspace.id, icon) });
  },
);
