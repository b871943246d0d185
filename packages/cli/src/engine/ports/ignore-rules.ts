/**
 * The ignore rules of this folder in gitignore syntax. `.stoa/ignore` (private) takes precedence over `.stoaignore`
 * (shared).
 */
export interface IgnoreTexts {
  readonly shared: string | null;
  readonly private: string | null;
}

export interface IgnoreRules {
  readonly texts: IgnoreTexts;
  /** All active rules, lowest precedence first. */
  readonly rules: readonly IgnoreRule[];
  /** Rules beyond the size limits of a file. They have no effect (docs/cli.md). */
  readonly passedOver: readonly IgnoreRule[];
  /** Whether the path's own name or a folder above it is ignored. `.stoaignore` itself never is. */
  isIgnored(path: string, kind: 'file' | 'folder'): boolean;
  /** The rule that ignores the path or a folder above it; null if it is not ignored. */
  findRule(path: string, kind: 'file' | 'folder'): IgnoreRule | null;
}

export interface IgnoreRule {
  readonly source: 'built_in' | 'shared' | 'private';
  readonly pattern: string;
}

/** The rules are unknown, so nothing may be sent. */
export class RulesUnreadableError extends Error {
  override readonly name = 'RulesUnreadableError';

  /** @param code the error code of the disk */
  constructor(file: string, code: string, options: ErrorOptions) {
    super(`The rules of what is ignored, in ${file}, cannot be read (${code})`, options);
  }
}
