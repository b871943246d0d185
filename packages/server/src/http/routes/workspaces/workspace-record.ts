import type { WorkspaceRecord } from '@stoa/contract';
import type { WorkspaceRow } from '../../../service/ports/rows.ts';

/** A workspace as it is sent (specification: Workspace). */
export function workspaceRecord({ id, name, icon, color, theme, themeCss }: WorkspaceRow): WorkspaceRecord {
  return { id, name, icon, color, theme, themeCss };
}
