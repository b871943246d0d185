import { routes } from '@stoa/contract';
import { shareRecord } from '../../../records/share-record.ts';
import { updateShare } from '../../../service/shares/update-share.ts';
import { json } from '../../answers/answer.ts';
import { operation } from '../../operation.ts';

export const updateShareOperation = operation(routes.updateShare, async ({ deps, access, params, body }) => {
  const change = { shareId: params.shareId, allowScripts: body.allowScripts };
  const share = await updateShare(deps.service, access, change);
  return json(200, { share: shareRecord(deps, share) });
});
