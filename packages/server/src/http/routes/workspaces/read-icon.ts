import { routes } from '@stoa/contract';
import { readWorkspaceImage } from '../../../service/workspaces/read-workspace-image.ts';
import { operation } from '../../operation.ts';
import { rejectActiveDestination } from '../../request/cross-site.ts';
import { header } from '../../request/headers.ts';

export const readWorkspaceIconOperation = operation(
  routes.readWorkspaceIcon,
  async ({ deps, access, params, raw }) => {
    rejectActiveDestination(header(raw, 'sec-fetch-dest'));
    const { imageType, bytes } = await readWorkspaceImage(deps.service, access, params.contentHash);
    return {
      kind: 'bytes',
      status: 200,
      headers: { 'content-type': imageType, 'accept-ranges': 'none' },
      content: { sizeBytes: bytes.byteLength, open: async () => bytes },
    };
  },
);
