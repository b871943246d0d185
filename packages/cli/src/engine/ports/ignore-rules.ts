/** The rules of this folder, in the syntax of gitignore: of `.stoaignore`, and of `.stoa/ignore`, which has the last word. */
export interface IgnoreTexts {
  readonly shared: string | null;
  readonly private: string | null;
}

export interface IgnoreRules {
  readonly texts: IgnoreTexts;
  /** By the path's own name, or that of a folder above it. `.stoaignore` itself never is. */
  isIgnored(path: string, kind: 'file' | 'folder'): boolean;
  /** The rule that ignores it, or a folder above it; null for what is not ignored. */
  findRule(path: string, kind: 'file' | 'folder'): IgnoreRule | null;
}

export interface IgnoreRule {
  readonly source: 'built_in' | 'shared' | 'private';
  readonly pattern: string;
}

/** What is to be kept here is not known, so that nothing may be sent. */
export class RulesUnreadableError extends Error {
  override readonly name = 'RulesUnreadableError';

  /** @param code what the disk said. */
  constructor(file: string, code: string, options: ErrorOptions) {
    super(`The rules of what is ignored, in ${file}, cannot be read (${code})`, options);
  }
}
