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
    'For owners. Who changed what people may do here, from where: members, roles, keys of this workspace, invites, share',
    'links, privacy, and what the operator did to it. The newest first. With `format=jsonl` all of it, as a file.',
  ].join(' '),
  query: auditQuery,
  responses: { 200: { description: 'A page of the log.', body: auditPage } },
  refusals: ['forbidden_role', 'unsafe_destination'],
});
