import { defineRoute } from '../route.ts';
import {
  contentSearchQuery,
  contentSearchResponse,
  findQuery,
  findResponse,
  searchQuery,
  searchResponse,
} from '../schemas/search.ts';

export const find = defineRoute({
  id: 'find',
  method: 'GET',
  path: '/api/workspaces/{workspaceId}/find',
  access: 'workspace',
  tag: 'Search',
  summary: 'Find files and folders by words',
  description:
    'Finds words anywhere in name, path, title, front matter and text, best first. Finds every acknowledged change.',
  query: findQuery,
  responses: { 200: { description: 'A page of results.', body: findResponse } },
});

export const searchFiles = defineRoute({
  id: 'searchFiles',
  method: 'GET',
  path: '/api/workspaces/{workspaceId}/search',
  access: 'workspace',
  tag: 'Search',
  summary: 'Find files and folders by name',
  description: 'Searches names and paths, not contents, whatever their case.',
  query: searchQuery,
  responses: { 200: { description: 'The best matches.', body: searchResponse } },
});

export const searchContent = defineRoute({
  id: 'searchContent',
  method: 'GET',
  path: '/api/workspaces/{workspaceId}/search-content',
  access: 'workspace',
  tag: 'Search',
  summary: 'Find lines in current files',
  description:
    'Searches contents, not names. Ignores case unless `matchCase` is set; finds every acknowledged change.',
  query: contentSearchQuery,
  responses: { 200: { description: 'The lines, by path.', body: contentSearchResponse } },
});
