import type { ErrorCode, ErrorDetails } from '@stoa/core';

/** An error on the wire. Texts are one line of ASCII, because they may appear in a status line. */
export interface ErrorRow {
  readonly status: number;
  /** The problem, and what to do about it. An error's own message replaces it. */
  readonly statusMessage: string;
  /** Precedes an error's own message. */
  readonly prefix?: string;
  /** Facts for programs, in addition to the text. */
  readonly data?: (details: ErrorDetails) => Readonly<Record<string, unknown>>;
  /** The whole body, if it is a flat one (interface: errors, Flat bodies). */
  readonly flat?: (details: ErrorDetails) => Readonly<Record<string, unknown>>;
  readonly headers?: (details: ErrorDetails) => Readonly<Record<string, string>>;
}

/** Status and text of every error (interface: errors; access, Access failures). */
export const errorTable: Readonly<Record<ErrorCode, ErrorRow>> = {
  unauthorized: {
    status: 401,
    statusMessage: 'Not signed in: send an API key in the x-api-key header, or sign in',
  },
  invalid_api_key: {
    status: 401,
    statusMessage: 'The API key was not accepted: check it, or make a new one',
    data: ({ reason }) => ({ error: 'invalid_api_key', reason }),
  },
  key_management_needs_session: {
    status: 403,
    statusMessage: 'Key management requires a logged-in session, not an API key',
  },
  session_required: {
    status: 403,
    statusMessage: 'This needs a logged-in session, not an API key: sign in to the web app',
  },
  key_not_scoped: { status: 403, statusMessage: 'Key is not scoped to this workspace' },
  key_only_reads: { status: 403, statusMessage: 'This key may read, but not change anything' },
  key_only_comments: {
    status: 403,
    statusMessage: 'This key may read and comment, but not change anything else',
  },
  key_not_for_workspace: { status: 403, statusMessage: 'This key may not change the workspace' },
  not_a_member: { status: 403, statusMessage: 'Not a workspace member' },
  forbidden_role: {
    status: 403,
    statusMessage: 'Your role in this workspace does not allow this: ask an owner',
  },
  cross_site_request: {
    status: 403,
    statusMessage:
      'A request with a session cookie must come from the app itself; scripts should use an API key',
  },
  foreign_origin: {
    status: 403,
    statusMessage: 'This page is not part of the service: its Origin is rejected',
  },
  foreign_host: {
    status: 403,
    statusMessage:
      'This server does not accept the name in the Host header: its operator can set STOA_BASE_URL or STOA_ALLOWED_HOSTS',
  },
  unsafe_destination: {
    status: 403,
    statusMessage: 'Workspace files cannot be loaded as scripts, styles or plug-ins',
  },
  registration_closed: { status: 403, statusMessage: 'Sign-up is closed here: ask for an invitation' },
  member_not_found: { status: 404, statusMessage: 'This person is not a member of the workspace' },
  last_owner: {
    status: 409,
    statusMessage: 'A workspace cannot lose its last owner: make another member an owner first',
  },
  invite_not_found: { status: 404, statusMessage: 'Invite not found: ask for a new link' },
  invite_gone: {
    status: 410,
    statusMessage: 'This invite has expired or is used up: ask for a new link',
  },
  too_many_invites: {
    status: 409,
    statusMessage: 'This workspace has too many open invites: end some of them first',
  },
  provider_unreachable: {
    status: 503,
    statusMessage: 'The sign-in provider cannot be reached: try again shortly, or use a password',
  },
  account_disabled: {
    status: 403,
    statusMessage: 'This account is disabled: ask the operator of this server',
  },
  reset_link_gone: {
    status: 410,
    statusMessage: 'This link was used or has expired: ask the operator of this server for a new one',
  },
  email_taken: { status: 409, statusMessage: 'An account with this e-mail address exists: sign in instead' },

  share_not_found: { status: 404, statusMessage: 'Share link not found' },
  share_needs_session: {
    status: 403,
    statusMessage:
      'Public links, passwords and scripts need a person signed in to the web app, not an API key',
  },
  private_item: {
    status: 409,
    statusMessage: 'A private item cannot be shared: share it with the workspace first',
  },
  too_many_shares: {
    status: 409,
    statusMessage: 'There are too many links to this path: revoke some of them first',
  },
  too_many_comments: {
    status: 409,
    statusMessage: 'This workspace has as many comments as it can keep: continue in another workspace',
  },
  too_many_replies: {
    status: 409,
    statusMessage: 'This thread has as many replies as it can keep: start another thread',
  },
  too_many_keys: { status: 409, statusMessage: 'You have too many API keys: revoke some of them first' },
  too_many_private_items: {
    status: 409,
    statusMessage: 'This workspace has too many private items: share some of them first',
  },
  share_locked: { status: 401, statusMessage: 'Wrong password for this link: ask the person who sent it' },
  pinned_content_gone: { status: 410, statusMessage: 'The pinned version is no longer kept' },

  invalid_path: { status: 400, statusMessage: 'Invalid path', prefix: 'Invalid path: ' },
  invalid_request: { status: 400, statusMessage: 'The request is not valid' },
  invalid_precondition: {
    status: 400,
    statusMessage:
      'Invalid precondition: send If-Match with one version number, or If-None-Match: *, not both',
  },
  empty_body: {
    status: 400,
    statusMessage:
      'The request body is empty: send the complete bytes of the file, or X-Service-Allow-Empty: 1 for an empty file',
  },

  not_markdown: {
    status: 400,
    statusMessage: 'Only markdown files can be commented on',
    flat: () => ({ error: 'not_markdown' }),
  },

  workspace_not_found: { status: 404, statusMessage: 'Workspace not found' },
  file_not_found: { status: 404, statusMessage: 'File not found' },
  version_not_found: {
    status: 404,
    statusMessage: 'Version not found: the version list shows the ones that are kept',
  },
  thread_not_found: { status: 404, statusMessage: 'Comment thread not found' },
  key_not_found: { status: 404, statusMessage: 'API key not found among your own' },
  device_code_required: deviceError(400, 'device_code required'),
  invalid_grant: deviceError(404, 'invalid_grant'),
  expired_token: deviceError(410, 'expired_token'),
  already_consumed: deviceError(410, 'already_consumed'),
  access_denied: deviceError(403, 'access_denied'),
  slow_down: { ...deviceError(429, 'slow_down'), headers: retryAfter },
  device_code_approved: {
    status: 409,
    statusMessage:
      'The code is already approved for another workspace: deny it and start again on the device',
  },
  route_not_found: {
    status: 404,
    statusMessage: 'No such route: /api/openapi.json lists them all',
  },
  method_not_allowed: {
    status: 405,
    statusMessage: 'This route does not accept this method: see the Allow header',
    headers: ({ allow }) => (typeof allow === 'string' ? { Allow: allow } : {}),
  },

  workspace_read_only: {
    status: 402,
    statusMessage: 'The workspace is read-only because its subscription has lapsed',
    flat: () => ({ error: 'workspace_read_only' }),
  },
  workspace_limit_exceeded: {
    status: 402,
    statusMessage: 'Your plan does not allow another workspace',
    flat: ({ used, limit }) => ({ error: 'workspace_limit_exceeded', used, limit }),
  },
  path_taken: {
    status: 409,
    statusMessage: 'A file and a folder cannot share a path: choose another name',
  },
  destination_exists: {
    status: 409,
    statusMessage: 'The destination already exists: choose another path',
  },
  file_too_large: {
    status: 413,
    statusMessage: 'The file is larger than the limit for one file',
    data: ({ limitBytes }) => ({ error: 'file_too_large', limit_bytes: limitBytes }),
  },
  request_too_large: { status: 413, statusMessage: 'The request body is too large' },
  unsupported_media_type: {
    status: 415,
    statusMessage: 'The body must be JSON, sent with Content-Type: application/json',
  },
  unsupported_content_coding: {
    status: 415,
    statusMessage: 'Content-Encoding is not supported: send the plain bytes',
    headers: () => ({ 'Accept-Encoding': 'identity' }),
  },
  unsupported_transfer_coding: {
    status: 501,
    statusMessage: 'Transfer-Encoding may be chunked only: send the plain bytes',
  },
  range_not_satisfiable: {
    status: 416,
    statusMessage: 'The range lies outside the file',
    headers: ({ sizeBytes }) =>
      typeof sizeBytes === 'number' ? { 'Content-Range': `bytes */${sizeBytes}` } : {},
  },
  precondition_required: {
    status: 428,
    statusMessage: 'A file is at this path: send If-Match with the version you read',
  },
  rate_limited: {
    status: 429,
    statusMessage: 'Too many attempts: wait before the next one',
    headers: retryAfter,
  },
  upload_interrupted: {
    status: 408,
    statusMessage: 'The upload stopped before it was complete and nothing was kept: send it again',
  },
  stored_bytes_missing: {
    status: 502,
    statusMessage: 'The stored bytes of this file are missing: ask the operator to check the storage',
  },
  storage_full: {
    status: 503,
    statusMessage: 'The server has no space left. Nothing was changed.',
    // Unlike other errors of this status it is not temporary, so programs must be able to distinguish it.
    data: () => ({ error: 'storage_full' }),
  },
  storage_refused: {
    status: 503,
    statusMessage:
      'The server is not allowed to use its storage of large files: ask the operator to check its log',
  },
  overloaded: {
    status: 503,
    statusMessage: 'The server is busy: try again in a moment',
    headers: () => ({ 'Retry-After': '1' }),
  },
  shutting_down: {
    status: 503,
    statusMessage: 'The server is restarting: try again in a moment',
    headers: () => ({ 'Retry-After': '5' }),
  },
};

/**
 * An error of the device flow. Clients compare the word, which is both text and data (interface: device-flow, Poll).
 */
function deviceError(status: number, word: string): ErrorRow {
  return { status, statusMessage: word, data: () => ({ error: word }) };
}

function retryAfter({ retryAfterSeconds }: ErrorDetails): Readonly<Record<string, string>> {
  return typeof retryAfterSeconds === 'number' ? { 'Retry-After': String(Math.ceil(retryAfterSeconds)) } : {};
}
