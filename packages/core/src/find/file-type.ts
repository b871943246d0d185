import { effectiveContentType, isMarkdown, mediaTypeOf } from '../files/content-type.ts';
import { fileNameOf, type WorkspacePath } from '../workspace-path.ts';

/** Extensions of source code that have no media type of their own. */
const codeExtensions: ReadonlySet<string> = new Set(
  'bash c cc cpp cs css go h hpp html java js json jsx kt lua mjs cjs mts php pl py r rb rs scss sh sql swift toml ts tsx vue xml yaml yml zig'.split(
    ' ',
  ),
);

/**
 * Returns true for a file of the type that a `type:` filter names: `md`, `image`, `audio`, `video`, `text`, `code`, or
 * an extension.
 * @param contentType as stored
 */
export function isOfType(path: WorkspacePath, contentType: string, type: string): boolean {
  const name = fileNameOf(path).toLowerCase();
  const dot = name.lastIndexOf('.');
  const extension = dot === -1 ? '' : name.slice(dot + 1);
  const media = mediaTypeOf(effectiveContentType(path, contentType));
  switch (type) {
    case 'md':
    case 'markdown':
      return isMarkdown(path, contentType);
    case 'image':
    case 'audio':
    case 'video':
    case 'text':
      return media.startsWith(`${type}/`);
    case 'code':
      return codeExtensions.has(extension);
    default:
      return extension === type || media === `application/${type}` || media === `image/${type}`;
  }
}
