import { routes } from '@stoa/contract';
import { parseWorkspacePath } from '@stoa/core';
import { listDeparted } from '../../../service/privacy/list-departed.ts';
import { json } from '../../answers/answer.ts';
import { operation } from '../../operation.ts';

export const listDepartedPrivateOperation = operation(
  routes.listDepartedPrivate,
  async ({ deps, access, query }) => {
    const after = query.after === undefined ? null : parseWorkspacePath(query.after);
    const { items, nextAfter } = await listDeparted(deps.service, access, { after, limit: query.limit });
    return json(200, { items, nextAfter });
  },
);
