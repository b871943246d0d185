import { routes } from '@stoa/contract';
import { parseWorkspacePath } from '@stoa/core';
import { listFormerMemberItems } from '../../../service/privacy/list-former-member-items.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const listDepartedPrivateOperation = operation(
  routes.listDepartedPrivate,
  async ({ deps, access, query }) => {
    const after = query.after === undefined ? null : parseWorkspacePath(query.after);
    const { items, nextAfter } = await listFormerMemberItems(deps.service, access, {
      after,
      limit: query.limit,
    });
    return json(200, { items, nextAfter });
  },
);
