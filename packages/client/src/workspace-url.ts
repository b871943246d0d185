import { encodeSegment } from './encode-path.ts';

/** `rest` is encoded already. */
export function workspaceUrl(workspaceId: string, rest: string): string {
  return `/api/workspaces/${encodeSegment(workspaceId)}${rest === '' ? '' : `/${rest}`}`;
}
