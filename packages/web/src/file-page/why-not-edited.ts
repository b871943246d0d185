import { effectiveContentType, mediaTypeOf } from '@stoa/core';
import type { FileEntry } from '../api/listing-index.ts';
import { type DecodedText, textMaxBytes } from '../reading/decode-text.ts';
import { fileView } from '../reading/file-view.ts';
import { editing } from '../text/en/editing.ts';

/**
 * Why a file cannot be edited here; null when it can.
 * @param decoded null before the bytes are read.
 */
export function whyNotEdited(
  { path, contentType, size }: Pick<FileEntry, 'path' | 'contentType' | 'size'>,
  decoded: DecodedText['kind'] | null,
): string | null {
  const { kind } = fileView({ path, contentType, sizeBytes: 0 });
  const isDrawing =
    kind === 'picture' && mediaTypeOf(effectiveContentType(path, contentType)) !== 'image/svg+xml';
  if (kind === 'none' || kind === 'pdf' || isDrawing || decoded === 'not_text') return editing.notText;
  return size > textMaxBytes || decoded === 'too_large' ? editing.tooLarge : null;
}
