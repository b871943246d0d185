import { z } from 'zod';
import { defineRoute } from '../route.ts';
import { changePage, changesQuery, changesSince } from '../schemas/change.ts';

export const readChanges = defineRoute({
  id: 'readChanges',
  method: 'GET',
  path: '/api/workspaces/{workspaceId}/changes',
  access: 'workspace',
  tag: 'Change feed',
  summary: 'Read what has changed',
  description: [
    'Every change in order. Begin with sinceSeq=0, handle the page, save nextSeq, and continue from it: a page may be',
    'empty and still move the cursor. You are caught up when nextSeq equals head. Since a crash replays the page after',
    'the saved cursor, a handler must tolerate a change it has already seen.',
  ].join(' '),
  query: changesQuery,
  responses: { 200: { description: 'A page of changes.', body: z.union([changePage, changesSince]) } },
});
