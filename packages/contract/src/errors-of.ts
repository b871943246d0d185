import type { ErrorCode, Need } from '@stoa/core';
import { needOf, type RouteAccess, type RouteDescriptor } from './route.ts';

/** Returns every error of a route: its own, and those of its access, method and body. */
export function errorsOf(route: RouteDescriptor): readonly ErrorCode[] {
  const takesBody = route.body !== undefined;
  const takesJson = route.body !== undefined && route.body !== 'bytes';
  const changes = route.method !== 'GET' && route.method !== 'HEAD';
  return [
    ...new Set<ErrorCode>([
      ...errorsOfAccess(route.access),
      ...(route.access === 'workspace' ? errorsOfNeed(needOf(route)) : []),
      ...(changes && route.access !== 'none' ? (['cross_site_request'] as const) : []),
      ...(takesJson ? (['unsupported_media_type', 'request_too_large'] as const) : []),
      ...(takesBody ? (['unsupported_content_coding', 'unsupported_transfer_coding'] as const) : []),
      ...(takesBody || route.query !== undefined ? (['invalid_request'] as const) : []),
      ...(route.errors ?? []),
      ...(changes ? (['storage_full'] as const) : []),
      ...(route.access === 'none' ? [] : (['overloaded', 'storage_refused', 'shutting_down'] as const)),
    ]),
  ];
}

function errorsOfAccess(access: RouteAccess): readonly ErrorCode[] {
  switch (access) {
    case 'none':
      return [];
    case 'session':
      return ['unauthorized', 'invalid_api_key', 'session_required'];
    case 'caller':
      return ['unauthorized', 'invalid_api_key'];
    case 'workspace':
      return ['unauthorized', 'invalid_api_key', 'workspace_not_found', 'key_not_scoped', 'not_a_member'];
    case 'workspace-session':
      return [...errorsOfAccess('workspace'), 'session_required'];
    case 'keys':
      return ['key_management_needs_session', 'unauthorized'];
  }
}

/** Errors of narrow keys without the required access. */
function errorsOfNeed(need: Need): readonly ErrorCode[] {
  switch (need) {
    case 'read':
      return [];
    case 'comment':
      return ['key_only_reads'];
    case 'write':
      return ['key_only_reads', 'key_only_comments'];
    case 'workspace':
      return ['key_only_reads', 'key_only_comments', 'key_not_for_workspace'];
  }
}
