/** Reasons why sync skips a path: a closed list, shown by name. */
export const skipReasons = [
  // By design.
  'symlink',
  'special_file',
  'ignored',
  'frozen',
  'nested_link',
  // A local item is in the way, or cannot be read or written.
  'unreadable',
  'other_filesystem',
  'blocked',
  'in_use',
  'disk_full',
  'suspect_damage',
  // Names.
  'not_utf8',
  'name_refused',
  'name_not_possible',
  'hostile_name',
  'repository',
  'form_collision',
  'case_collision',
  // The server does not have it, does not show it, or rejects it.
  'not_on_server',
  'hidden_by_private',
  'bytes_missing',
  'transfer_failed',
  'too_large',
  'read_only',
  'quota',
  'file_count',
  'conflict_unsaved',
  // Waits for the user, or until the file stops changing.
  'newly_unignored',
  'newly_ignored',
  'storm',
  'changing',
] as const;
export type SkipReason = (typeof skipReasons)[number];

const byDesign: ReadonlySet<SkipReason> = new Set([
  'symlink',
  'special_file',
  'ignored',
  'frozen',
  'nested_link',
]);

/** Whether the user need not act: such paths do not change an exit code. */
export function isSkippedByDesign(reason: SkipReason): boolean {
  return byDesign.has(reason);
}

export interface SkippedPath {
  /** The name in the workspace or on the disk. It is not always a workspace path: it may not be UTF-8. */
  readonly path: string;
  readonly reason: SkipReason;
  /** The item in the way, the limit, or the server's message. Null if the reason is enough. */
  readonly detail: string | null;
}
