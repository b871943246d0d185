import { routes } from '@stoa/contract';
import { readPinnedContent } from '../../../service/comments/read-pinned-content.ts';
import { operation } from '../../operation.ts';
import { readableResponse } from '../files/readable-response.ts';

export const readPinnedContentOperation = operation(
  routes.readPinnedContent,
  async ({ deps, access, params, raw }) => {
    const pinned = await readPinnedContent(deps.service, access, params.threadId);
    return readableResponse(raw, pinned, { download: true, preview: false });
  },
);
