import type { CreateShareBody, ShareAnswer, ShareList } from '@stoa/contract';
import { answerOf } from './answer-of.ts';
import { emptyAnswerOf } from './empty-answer-of.ts';
import { encodeSegment } from './encode-path.ts';
import { readApiError, readJson } from './read-json.ts';
import type { CallOptions, Transport } from './transport.ts';
import { workspaceUrl } from './workspace-url.ts';

/** Links by which files and folders are opened. Refusals throw `StoaApiError`. */
export interface ShareCalls {
  listShares(workspaceId: string, path: string, options?: CallOptions): Promise<ShareList>;
  /** With a key only member links without a password and without scripts. */
  createShare(workspaceId: string, share: CreateShareBody, options?: CallOptions): Promise<ShareAnswer>;
  updateShare(
    workspaceId: string,
    shareId: string,
    change: { readonly allowScripts: boolean },
    options?: CallOptions,
  ): Promise<ShareAnswer>;
  revokeShare(workspaceId: string, shareId: string, options?: CallOptions): Promise<void>;
}

export function shareCalls(transport: Transport): ShareCalls {
  const shareUrl = (workspaceId: string, shareId: string) =>
    workspaceUrl(workspaceId, `shares/${encodeSegment(shareId)}`);
  return {
    listShares: async (workspaceId, path, options = {}) =>
      answerOf<ShareList>(transport, {
        method: 'GET',
        path: workspaceUrl(workspaceId, 'shares'),
        query: { path },
        ...options,
      }),
    createShare: async (workspaceId, value, options = {}) =>
      transport(
        {
          method: 'POST',
          path: workspaceUrl(workspaceId, 'shares'),
          body: { kind: 'json', value },
          ...options,
        },
        async (response) => {
          if (response.status !== 201) throw await readApiError(response);
          return await readJson<ShareAnswer>(response);
        },
      ),
    updateShare: async (workspaceId, shareId, value, options = {}) =>
      answerOf<ShareAnswer>(transport, {
        method: 'PATCH',
        path: shareUrl(workspaceId, shareId),
        body: { kind: 'json', value },
        ...options,
      }),
    revokeShare: async (workspaceId, shareId, options = {}) =>
      emptyAnswerOf(transport, { method: 'DELETE', path: shareUrl(workspaceId, shareId), ...options }),
  };
}
