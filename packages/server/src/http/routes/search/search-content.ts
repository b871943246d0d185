import { type FoundFileRecord, routes } from '@stoa/contract';
import { parseWorkspacePath } from '@stoa/core';
import { searchContent } from '../../../service/content-search/search-content.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const searchContentOperation = operation(routes.searchContent, async ({ deps, access, query }) => {
  const { q: text, offset = 0, after, ...asked } = query;
  const { stoppedAt, files, ...found } = await searchContent(deps.service, access, {
    ...asked,
    text,
    offset,
    after: after === undefined ? null : parseWorkspacePath(after),
  });
  const records = files.map(({ path, version, contentHash, lines }): FoundFileRecord => {
    const shown = lines.map(({ line, text, before, after }) =>
      asked.context === 0 ? { line, text } : { line, text, before: [...before], after: [...after] },
    );
    return { path, version, contentHash, lines: shown };
  });
  return json(200, { files: records, ...found, truncated: stoppedAt !== null });
});
