import { tools } from '@stoa/contract';
import { isGlob } from '@stoa/core';
import { globFiles } from '../../service/search/glob-files.ts';
import { searchFiles } from '../../service/search/search-files.ts';
import { counted } from '../counted.ts';
import { type Tool, workspaceTool } from '../tool.ts';

export const searchFilesTool = searchFilesWithContent('search_content at /api/mcp?toolset=extended');

/** For the sets that also search contents. */
export const searchFilesWithContentTool = searchFilesWithContent('search_content');

function searchFilesWithContent(searchContent: string): Tool {
  return workspaceTool(tools.searchFiles, async ({ deps, access, input }) => {
    const search = isGlob(input.query) ? globFiles : searchFiles;
    const { results: found, totalMatches } = await search(deps.service, access, input);
    const results = found.map(({ path, name, isDir }) => ({ path, name, isDir }));
    const lines = results.map(({ path, isDir }) => (isDir ? `${path}/` : path));
    const summary = `${counted(totalMatches, 'match', 'matches')}${totalMatches > lines.length ? `, the best ${lines.length} of them` : ''}`;
    if (totalMatches === 0) {
      const next = `Only names and paths are searched: try fewer characters, or list_files. ${searchContent} looks inside files.`;
      return { text: `0 matches. ${next}`, data: { results, totalMatches, next } };
    }
    return { text: [`${summary}:`, ...lines].join('\n'), data: { results, totalMatches } };
  });
}
