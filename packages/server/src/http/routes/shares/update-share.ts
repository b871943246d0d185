import { routes } from '@stoa/contract';
import { shareRecord } from '../../../records/share-record.ts';
import { updateShare } from '../../../service/shares/update-share.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const updateShareOperation = operation(routes.updateShare, async ({ deps, access, params, body }) => {
  const change = { shareId: params.shareId, allowScripts: body.allowScripts };
  const share = await updateShare(deps.service, access, change);
  return json(200, { share: shareRecord(deps, share) });
});
