// docs/decisions/0007-errors.md

/**
 * The reason for an error. Code throws it as a `WorkspaceError`; only the contract has the status and text of each
 * code. Results that the interface describes as data (a conflict, a full quota) are returned outcomes, never one of
 * these.
 */
export type ErrorCode =
  | 'unauthorized'
  | 'invalid_api_key'
  | 'workspace_not_found'
  | 'key_not_scoped'
  | 'key_only_reads'
  | 'key_only_comments'
  | 'key_not_for_workspace'
  | 'not_a_member'
  | 'session_required'
  | 'key_management_needs_session'
  | 'cross_site_request'
  | 'foreign_origin'
  | 'foreign_host'
  | 'forbidden_role'
  | 'registration_closed'
  | 'member_not_found'
  | 'last_owner'
  | 'invite_not_found'
  | 'invite_gone'
  | 'too_many_invites'
  | 'email_taken'
  | 'reset_link_gone'
  | 'account_disabled'
  | 'provider_unreachable'
  | 'share_not_found'
  | 'share_needs_session'
  | 'private_item'
  | 'too_many_shares'
  | 'too_many_comments'
  | 'too_many_replies'
  | 'too_many_keys'
  | 'too_many_private_items'
  | 'share_locked'
  | 'pinned_content_gone'
  | 'invalid_path'
  | 'invalid_request'
  | 'invalid_precondition'
  | 'empty_body'
  | 'file_not_found'
  | 'version_not_found'
  | 'key_not_found'
  | 'thread_not_found'
  | 'not_markdown'
  | 'device_code_required'
  | 'invalid_grant'
  | 'expired_token'
  | 'already_consumed'
  | 'access_denied'
  | 'slow_down'
  | 'device_code_approved'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'unsafe_destination'
  | 'unsupported_media_type'
  | 'unsupported_content_coding'
  | 'unsupported_transfer_coding'
  | 'workspace_read_only'
  | 'workspace_limit_exceeded'
  | 'file_too_large'
  | 'request_too_large'
  | 'precondition_required'
  | 'path_taken'
  | 'destination_exists'
  | 'rate_limited'
  | 'range_not_satisfiable'
  | 'upload_interrupted'
  | 'stored_bytes_missing'
  | 'storage_full'
  | 'storage_refused'
  | 'overloaded'
  | 'shutting_down';

/** Facts of an error for the response: plain data, so that they can cross threads. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean | null>>;

/** A request failed for a reason that its sender can understand. It changed no data. */
export class WorkspaceError extends Error {
  override readonly name = 'WorkspaceError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  /** `message` replaces the code's standard text if the case needs a more precise one. */
  constructor(code: ErrorCode, details: ErrorDetails = {}, message = '') {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** Makes an error about the request itself. `text` says what is wrong and, where useful, what to send instead. */
export function invalidRequest(text: string): WorkspaceError {
  return new WorkspaceError('invalid_request', {}, text);
}
