import { defineRoute } from '../route.ts';
import { auditPage, auditQuery } from '../schemas/audit.ts';

export const readAudit = defineRoute({
  id: 'readAudit',
  method: 'GET',
  path: '/api/workspaces/{workspaceId}/audit',
  access: 'workspace-session',
  tag: 'Members',
  summary: "Read a workspace's audit log",
  description: [
    'For owners. Changes of access, with author and address: members, roles, keys of this workspace, invites, share',
    'links, privacy, and commands of the operator. Newest first. With `format=jsonl` the whole log, as a file.',
  ].join(' '),
  query: auditQuery,
  responses: { 200: { description: 'A page of the log.', body: auditPage } },
  errors: ['forbidden_role', 'unsafe_destination'],
});
