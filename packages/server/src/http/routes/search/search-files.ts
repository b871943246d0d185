import { routes } from '@stoa/contract';
import { searchFiles } from '../../../service/search/search-files.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const searchFilesOperation = operation(routes.searchFiles, async ({ deps, access, query }) => {
  const { results, totalMatches, truncated } = await searchFiles(deps.service, access, {
    query: query.q,
    limit: query.limit,
  });
  return json(200, { results, totalMatches, truncated });
});
