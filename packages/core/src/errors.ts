// docs/decisions/0013-errors.md

/**
 * Why a request is refused. A refusal is thrown as a `WorkspaceError`; only the contract knows which status and
 * text each code has. What the interface describes as data (a conflict, a full quota) is a returned outcome
 * instead, never one of these.
 */
export type RefusalCode =
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

/** Facts a refusal carries for the answer: plain data, so that it crosses threads. */
export type RefusalDetails = Readonly<Record<string, string | number | boolean | null>>;

/** A request refused for a reason that its sender can understand. Nothing was changed. */
export class WorkspaceError extends Error {
  override readonly name = 'WorkspaceError';
  readonly code: RefusalCode;
  readonly details: RefusalDetails;

  /** `message` replaces the code's standard text, where the case has something more exact to say. */
  constructor(code: RefusalCode, details: RefusalDetails = {}, message = '') {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** A refusal of what was sent, in words of its own: `text` says what is wrong and, where it helps, what to send instead. */
export function invalidRequest(text: string): WorkspaceError {
  return new WorkspaceError('invalid_request', {}, text);
}
