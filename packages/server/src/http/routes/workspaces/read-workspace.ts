import { routes } from '@stoa/contract';
import { json } from '../../answers/answer.ts';
import { operation } from '../../operation.ts';
import { workspaceRecord } from './workspace-record.ts';

export const readWorkspaceOperation = operation(routes.readWorkspace, ({ access }) =>
  json(200, workspaceRecord(access.workspace)),
);
