import { routes } from '@stoa/contract';
import { revokeShare } from '../../../service/shares/revoke-share.ts';
import { operation } from '../../operation.ts';

export const revokeShareOperation = operation(routes.revokeShare, async ({ deps, access, params }) => {
  await revokeShare(deps.service, access, params.shareId);
  return { kind: 'empty', status: 204 };
});
