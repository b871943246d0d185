import { commentBodyMaxBytes, contextMaxBytes, quoteMaxBytes } from '@stoa/core';
import { bodyMaxBytesFor } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { anchorConflict } from '../schemas/anchor-conflict.ts';
import {
  commentList,
  commentsQuery,
  repliedEntry,
  replyBody,
  resolvedThread,
  setResolvedBody,
  startedThread,
  startThreadBody,
} from '../schemas/comment.ts';
import { fileHeaders } from './file-headers.ts';

const thread = { threadId: "The thread's id." };

export const listComments = defineRoute({
  id: 'listComments',
  method: 'GET',
  path: '/api/workspaces/{workspaceId}/comments',
  access: 'workspace',
  tag: 'Comments',
  summary: 'List comment threads',
  description: 'With the position of each in the current file, and a page of its replies.',
  query: commentsQuery,
  responses: { 200: { description: 'A page of the threads that match.', body: commentList } },
  errors: ['invalid_path'],
});

export const startThread = defineRoute({
  id: 'startThread',
  method: 'POST',
  path: '/api/workspaces/{workspaceId}/comments',
  access: 'workspace',
  needs: 'comment',
  tag: 'Comments',
  summary: 'Start a comment thread on a passage of a markdown file',
  body: startThreadBody,
  bodyMaxBytes: bodyMaxBytesFor(commentBodyMaxBytes + quoteMaxBytes + 2 * contextMaxBytes),
  responses: {
    201: { description: 'The new thread.', body: startedThread },
    409: { description: 'The passage could not be placed. Nothing was created.', body: anchorConflict },
  },
  errors: [
    'too_many_comments',
    'invalid_path',
    'file_not_found',
    'workspace_read_only',
    'not_markdown',
    'file_too_large',
    'stored_bytes_missing',
  ],
});

export const addReply = defineRoute({
  id: 'addReply',
  method: 'POST',
  path: '/api/workspaces/{workspaceId}/comments/{threadId}/replies',
  params: thread,
  access: 'workspace',
  needs: 'comment',
  tag: 'Comments',
  summary: 'Reply in a thread',
  body: replyBody,
  bodyMaxBytes: bodyMaxBytesFor(commentBodyMaxBytes),
  responses: { 201: { description: 'The new reply.', body: repliedEntry } },
  errors: ['thread_not_found', 'workspace_read_only', 'too_many_replies', 'too_many_comments'],
});

export const setResolved = defineRoute({
  id: 'setResolved',
  method: 'PUT',
  path: '/api/workspaces/{workspaceId}/comments/{threadId}/resolved',
  params: thread,
  access: 'workspace',
  needs: 'comment',
  tag: 'Comments',
  summary: 'Resolve or reopen a thread',
  body: setResolvedBody,
  responses: { 200: { description: 'As it is now.', body: resolvedThread } },
  errors: ['thread_not_found'],
});

export const readPinnedContent = defineRoute({
  id: 'readPinnedContent',
  method: 'GET',
  path: '/api/workspaces/{workspaceId}/comments/{threadId}/pinned-content',
  params: thread,
  access: 'workspace',
  tag: 'Comments',
  summary: 'Download the markdown that a thread was written against',
  responses: { 200: { description: 'The bytes, as a download.', body: 'bytes', headers: fileHeaders } },
  errors: ['thread_not_found', 'pinned_content_gone', 'unsafe_destination'],
});
