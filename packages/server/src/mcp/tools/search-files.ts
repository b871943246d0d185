import { tools } from '@stoa/contract';
import { searchFiles } from '../../service/search/search-files.ts';
import { workspaceTool } from '../tool.ts';

export const searchFilesTool = workspaceTool(tools.searchFiles, async ({ deps, access, input }) => {
  const { results: found, totalMatches } = await searchFiles(deps.service, access, input);
  const results = found.map(({ path, name, isDir }) => ({ path, name, isDir }));
  const lines = results.map(({ path, isDir }) => (isDir ? `${path}/` : path));
  const summary = `${totalMatches} matches${totalMatches > lines.length ? `, the best ${lines.length} of them` : ''}`;
  return {
    text:
      totalMatches === 0
        ? '0 matches. Only names and paths are searched: try fewer characters, or list_files.'
        : [`${summary}:`, ...lines].join('\n'),
    data: { results, totalMatches },
  };
});
