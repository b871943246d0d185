import type { Need, RefusalCode } from '@stoa/core';
import { needOf, type RouteAccess, type RouteDescriptor } from './route.ts';

/** Returns every error of a route: its own, and those of its access, method and body. */
export function refusalsOf(route: RouteDescriptor): readonly RefusalCode[] {
  const takesBody = route.body !== undefined;
  const takesJson = route.body !== undefined && route.body !== 'bytes';
  const changes = route.method !== 'GET' && route.method !== 'HEAD';
  return [
    ...new Set<RefusalCode>([
      ...refusalsOfAccess(route.access),
      ...(route.access === 'workspace' ? refusalsOfNeed(needOf(route)) : []),
      ...(changes && route.access !== 'none' ? (['cross_site_request'] as const) : []),
      ...(takesJson ? (['unsupported_media_type', 'request_too_large'] as const) : []),
      ...(takesBody ? (['unsupported_content_coding', 'unsupported_transfer_coding'] as const) : []),
      ...(takesBody || route.query !== undefined ? (['invalid_request'] as const) : []),
      ...(route.refusals ?? []),
      ...(changes ? (['storage_full'] as const) : []),
      ...(route.access === 'none' ? [] : (['overloaded', 'storage_refused', 'shutting_down'] as const)),
    ]),
  ];
}

function refusalsOfAccess(access: RouteAccess): readonly RefusalCode[] {
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
      return [...refusalsOfAccess('workspace'), 'session_required'];
    case 'keys':
      return ['key_management_needs_session', 'unauthorized'];
  }
}

/** Errors of narrow keys without the required access. */
function refusalsOfNeed(need: Need): readonly RefusalCode[] {
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
