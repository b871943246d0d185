import type { IncomingMessage } from 'node:http';
import type { RouteAccess } from '@stoa/contract';
import { WorkspaceError } from '@stoa/core';
import { type Caller, openWorkspace, type WorkspaceAccess } from '../../service/access/workspace-access.ts';
import type { HttpDeps } from '../http-deps.ts';
import { refuseCrossSiteChange } from './cross-site.ts';
import { header } from './headers.ts';

export interface RequestAccess {
  readonly caller: Caller | null;
  readonly access: WorkspaceAccess | null;
}

const noAccess: RequestAccess = { caller: null, access: null };

/**
 * Who calls, and whether the route is theirs to call (interface: access, Access failures). The key decides,
 * also beside a cookie; a cookie acts for a page only when the page is our own.
 * @throws WorkspaceError `key_management_needs_session`, `unauthorized`, `invalid_api_key`, `cross_site_request`,
 * `session_required`, then those of `openWorkspace`; what takes a session in a workspace refuses a key after those
 */
export async function requireAccess(
  { auth, service, trustedOrigins }: Pick<HttpDeps, 'auth' | 'service' | 'trustedOrigins'>,
  request: IncomingMessage,
  required: RouteAccess,
  workspaceId: string | undefined,
): Promise<RequestAccess> {
  if (required === 'none') return noAccess;
  const apiKey = header(request, 'x-api-key');
  if (required === 'keys' && apiKey !== null) throw new WorkspaceError('key_management_needs_session');
  const caller = await auth.authenticate({ apiKey, cookie: header(request, 'cookie') });
  if (caller.credential.via === 'session') {
    const facts = { secFetchSite: header(request, 'sec-fetch-site'), origin: header(request, 'origin') };
    refuseCrossSiteChange(request.method ?? '', facts, trustedOrigins);
  }
  switch (required) {
    case 'session':
      if (caller.credential.via !== 'session') throw new WorkspaceError('session_required');
      return { caller, access: null };
    case 'caller':
    case 'keys':
      return { caller, access: null };
    case 'workspace':
      return { caller, access: await openWorkspace(service, caller, workspaceId ?? '') };
    case 'workspace-session': {
      const access = await openWorkspace(service, caller, workspaceId ?? '');
      if (caller.credential.via !== 'session') throw new WorkspaceError('session_required');
      return { caller, access };
    }
  }
}
