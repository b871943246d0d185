import type { WorkspaceIcon } from '@stoa/contract';
import { answerOf } from './answer-of.ts';
import { encodeSegment } from './encode-path.ts';
import { readApiError } from './read-json.ts';
import type { CallOptions, FileContent, Transport } from './transport.ts';
import { workspaceUrl } from './workspace-url.ts';

export interface IconImage {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** The image that a workspace may have for an icon. Refusals throw `StoaApiError`. */
export interface IconCalls {
  /** A PNG, JPEG, GIF or WebP of at most 1 MiB. */
  uploadWorkspaceIcon(workspaceId: string, image: FileContent, options?: CallOptions): Promise<WorkspaceIcon>;
  /** `contentHash` is the last segment of the icon's address. */
  readWorkspaceIcon(workspaceId: string, contentHash: string, options?: CallOptions): Promise<IconImage>;
}

export function iconCalls(transport: Transport): IconCalls {
  return {
    uploadWorkspaceIcon: async (workspaceId, bytes, options = {}) =>
      answerOf<WorkspaceIcon>(transport, {
        method: 'POST',
        path: workspaceUrl(workspaceId, 'icon'),
        body: { kind: 'bytes', bytes },
        ...options,
      }),
    readWorkspaceIcon: async (workspaceId, contentHash, options = {}) =>
      transport(
        {
          method: 'GET',
          path: workspaceUrl(workspaceId, `icon/${encodeSegment(contentHash)}`),
          ...options,
        },
        async (response) => {
          if (response.status !== 200) throw await readApiError(response);
          const contentType = response.headers.get('Content-Type') ?? 'application/octet-stream';
          return { contentType, bytes: new Uint8Array(await response.arrayBuffer()) };
        },
      ),
  };
}
