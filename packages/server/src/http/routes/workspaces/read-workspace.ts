import { routes } from '@stoa/contract';
import { json } from '../../answers/answer.ts';
import { operation } from '../../operation.ts';
import { workspaceRecord } from './workspace-record.ts';

export const readWorkspaceOperation = operation(routes.readWorkspace, ({ deps, access }) =>
  json(200, workspaceRecord(deps, access.workspace)),
);
