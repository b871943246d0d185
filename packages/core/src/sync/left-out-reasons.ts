/** Why a path is not kept the same on both sides: a closed list, shown by name. */
export const leftOutReasons = [
  // By design.
  'symlink',
  'special_file',
  'ignored',
  'frozen',
  'nested_link',
  // Something here is in the way, or cannot be read or written.
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
  'form_collision',
  'case_collision',
  // The server has not got it, does not show it, or does not take it.
  'not_on_server',
  'hidden_by_private',
  'bytes_missing',
  'transfer_failed',
  'too_large',
  'read_only',
  'quota',
  'file_count',
  'conflict_unsaved',
  // Waits for a person, or for quiet.
  'newly_unignored',
  'storm',
] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];

const byDesign: ReadonlySet<LeftOutReason> = new Set([
  'symlink',
  'special_file',
  'ignored',
  'frozen',
  'nested_link',
]);

/** Whether nobody need do anything about it: such paths do not change an exit code. */
export function isLeftOutByDesign(reason: LeftOutReason): boolean {
  return byDesign.has(reason);
}

export interface LeftOut {
  /** As the workspace or the disk spells it: a name that is not UTF-8 is no workspace path. */
  readonly path: string;
  readonly reason: LeftOutReason;
  /** What is in the way, which limit, what the server said; null where the reason says all. */
  readonly detail: string | null;
}
