import { createHash } from 'node:crypto';
import {
  type ContentHash,
  type ImageType,
  imageIconOf,
  imageTypeOf,
  invalidRequest,
  WorkspaceError,
  workspaceImageMaxBytes,
} from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import { defineScript } from '../ports/script.ts';
import { authorOf, type ChangeAuthor, openForChange } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';

interface PutWorkspaceImage extends ChangeAuthor {
  readonly contentHash: ContentHash;
  readonly imageType: ImageType;
  readonly bytes: Uint8Array;
}

/**
 * Replaces the workspace's icon with an uploaded image, as any member may.
 * @returns the icon.
 * @param upload.declaredBytes null when the sender does not declare the size.
 * @throws WorkspaceError `file_too_large` as soon as the limit is passed, `empty_body`, `invalid_request` unless the
 * bytes are a PNG, JPEG, GIF or WebP; errors of `body` pass through.
 */
export async function uploadWorkspaceImage(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  access: WorkspaceAccess,
  upload: { readonly declaredBytes: number | null; readonly body: AsyncIterable<Uint8Array> },
): Promise<string> {
  if ((upload.declaredBytes ?? 0) > workspaceImageMaxBytes) throw tooLarge();
  const bytes = await readImage(upload.body);
  if (bytes.byteLength === 0) {
    throw new WorkspaceError('empty_body', {}, 'The request body is empty: send the bytes of an image');
  }
  const imageType = imageTypeOf(bytes);
  if (imageType === null) {
    throw invalidRequest('The image must be a PNG, JPEG, GIF or WebP');
  }
  const contentHash = createHash('sha256').update(bytes).digest('hex') as ContentHash;
  const author = authorOf(access, deps.clock());
  await deps.store.transact(putWorkspaceImageScript, { ...author, contentHash, imageType, bytes });
  return imageIconOf(contentHash);
}

export const putWorkspaceImageScript = defineScript<PutWorkspaceImage, void>(
  'workspaces.put-image',
  async (tx, command) => {
    await openForChange(tx, command, 'workspace');
    const { workspaceId, contentHash, imageType, bytes } = command;
    await tx.write.putWorkspaceImage(workspaceId, { contentHash, imageType, bytes });
    await tx.write.updateWorkspace(workspaceId, { icon: imageIconOf(contentHash) });
  },
);

async function readImage(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of body) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > workspaceImageMaxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(sizeBytes);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

function tooLarge(): WorkspaceError {
  const limitBytes = workspaceImageMaxBytes;
  return new WorkspaceError(
    'file_too_large',
    { limitBytes },
    `An icon may have at most ${limitBytes} bytes (1 MiB)`,
  );
}
