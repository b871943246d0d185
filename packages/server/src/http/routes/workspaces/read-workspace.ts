import { routes } from '@stoa/contract';
import { workspaceRecord } from '../../../records/workspace-record.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const readWorkspaceOperation = operation(routes.readWorkspace, ({ deps, access }) =>
  json(200, workspaceRecord(deps, access.workspace)),
);
