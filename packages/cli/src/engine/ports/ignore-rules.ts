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
