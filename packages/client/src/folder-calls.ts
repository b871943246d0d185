import type { MovedFolder, NodeIcon, NodeKind, NodeOrder, NodePrivate } from '@stoa/contract';
import { answerOf } from './answer-of.ts';
import type { CallOptions, Transport } from './transport.ts';
import { workspaceUrl } from './workspace-url.ts';

/** What files and folders have beside their bytes. Refusals throw `StoaApiError`. */
export interface FolderCalls {
  /** Moves no files: move each of them first, then call this. */
  moveFolder(
    workspaceId: string,
    move: { readonly from: string; readonly to: string },
    options?: CallOptions,
  ): Promise<MovedFolder>;
  /** Null clears the icon. */
  setNodeIcon(
    workspaceId: string,
    path: string,
    icon: string | null,
    options?: CallOptions,
  ): Promise<NodeIcon>;
  setNodePrivate(
    workspaceId: string,
    node: { readonly path: string; readonly kind: NodeKind; readonly private: boolean },
    options?: CallOptions,
  ): Promise<NodePrivate>;
  /** At most 1000 paths, in the wanted order. */
  setNodeOrder(workspaceId: string, paths: readonly string[], options?: CallOptions): Promise<NodeOrder>;
}

export function folderCalls(transport: Transport): FolderCalls {
  return {
    moveFolder: async (workspaceId, value, options = {}) =>
      answerOf<MovedFolder>(transport, {
        method: 'POST',
        path: workspaceUrl(workspaceId, 'move-folder'),
        body: { kind: 'json', value },
        ...options,
      }),
    setNodeIcon: async (workspaceId, path, icon, options = {}) =>
      answerOf<NodeIcon>(transport, {
        method: 'PUT',
        path: workspaceUrl(workspaceId, 'node-icon'),
        body: { kind: 'json', value: { path, icon } },
        ...options,
      }),
    setNodePrivate: async (workspaceId, value, options = {}) =>
      answerOf<NodePrivate>(transport, {
        method: 'PUT',
        path: workspaceUrl(workspaceId, 'node-private'),
        body: { kind: 'json', value },
        ...options,
      }),
    setNodeOrder: async (workspaceId, paths, options = {}) =>
      answerOf<NodeOrder>(transport, {
        method: 'PUT',
        path: workspaceUrl(workspaceId, 'node-order'),
        body: { kind: 'json', value: { paths } },
        ...options,
      }),
  };
}
