import { routes } from '@stoa/contract';
import { resolutionRecord } from '../../../records/resolution-record.ts';
import { setResolved } from '../../../service/comments/set-resolved.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const setResolvedOperation = operation(routes.setResolved, async ({ deps, access, params, body }) => {
  const { threadId } = params;
  const { resolved } = body;
  const { changed, resolution } = await setResolved(deps.service, access, { threadId, resolved });
  return json(200, { ok: true, resolved, changed, ...resolutionRecord(resolution) });
});
