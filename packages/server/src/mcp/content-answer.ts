import type { WorkspacePath } from '@stoa/core';
import type { ContentRow } from '../service/files/open-content.ts';
import type { ReadWindow } from './read-window.ts';
import type { ToolAnswer } from './tool.ts';

/** A file's content, or a window of it, as an agent gets it: the facts, then the content exactly as it is. */
export function contentAnswer(
  path: WorkspacePath,
  { version, contentType, sizeBytes: size }: Pick<ContentRow, 'version' | 'contentType' | 'sizeBytes'>,
  { content, nextOffset }: ReadWindow,
): ToolAnswer {
  const rest = nextOffset === null ? 'to its end' : `not to its end: go on with offset ${nextOffset}`;
  return {
    text: [`${path}, version ${version}, ${contentType}, ${size} bytes, ${rest}.`, content],
    data: { version, contentType, content, size, nextOffset },
  };
}
