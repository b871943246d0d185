import { defineRoute } from '../route.ts';
import { searchAnswer, searchQuery } from '../schemas/search.ts';

export const searchFiles = defineRoute({
  id: 'searchFiles',
  method: 'GET',
  path: '/api/workspaces/{workspaceId}/search',
  access: 'workspace',
  tag: 'Search',
  summary: 'Find files and folders by name',
  description: 'Searches names and paths, not contents, whatever their case.',
  query: searchQuery,
  responses: { 200: { description: 'The best matches.', body: searchAnswer } },
});
