import type { WorkspaceRecord } from '@stoa/contract';
import type { WorkspaceRow } from '../service/ports/workspaces.ts';
import { iconAddress } from './icon-address.ts';

/** Returns a workspace as it is sent (interface: workspaces, Workspace). */
export function workspaceRecord(
  { baseUrl }: { readonly baseUrl: string },
  { id, name, icon, color, theme, themeCss }: WorkspaceRow,
): WorkspaceRecord {
  return { id, name, icon: iconAddress(baseUrl, id, icon), color, theme, themeCss };
}
