import { createHash } from 'node:crypto';
import { WorkspaceError } from '@stoa/core';
import type { ServiceDeps } from '../service-deps.ts';
import { type KeptContent, openContent } from './open-content.ts';

/**
 * Yields the whole bytes of a content that a row names.
 * @throws WorkspaceError `stored_bytes_missing`, at the end, when their hash differs from the row's
 */
export async function* verifiedContent(
  deps: Pick<ServiceDeps, 'store' | 'blobs'>,
  content: KeptContent,
): AsyncGenerator<Uint8Array> {
  const seen = createHash('sha256');
  const opened = await openContent(deps, content, { start: 0, end: content.sizeBytes });
  for await (const chunk of opened instanceof Uint8Array ? [opened] : opened) {
    seen.update(chunk);
    yield chunk;
  }
  if (seen.digest('hex') !== content.contentHash) throw new WorkspaceError('stored_bytes_missing');
}
