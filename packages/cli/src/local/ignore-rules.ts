import ignore, { type Ignore } from 'ignore';
import type { IgnoreRule, IgnoreRules, IgnoreTexts } from '../engine/ports/ignore-rules.ts';

/** The shared rules: an ordinary file at the root. */
export const sharedRulesName = '.stoaignore';
/** In the hidden folder: for this folder alone. */
export const privateRulesName = 'ignore';
export const rulesBytesMax = 1024 * 1024;

/** What systems and editors leave about, and what would be made anew anyway. A `!` rule takes one back in. */
export const builtInRules = [
  '.DS_Store',
  '._*',
  'Thumbs.db',
  'desktop.ini',
  '.Spotlight-V100',
  '.Trashes',
  '.fseventsd',
  '.TemporaryItems',
  '$RECYCLE.BIN',
  'System Volume Information',
  '.Trash-*',
  '.nfs*',
  '.fuse_hidden*',
  '.directory',
  '*~',
  '.*.sw?',
  '4913',
  '.#*',
  '\\#*#',
  '~$*',
  '.~lock.*#',
  '*___jb_tmp___',
  '*___jb_old___',
  '.goutputstream-*',
  '*.sb-????????-??????',
  '*.part',
  '*.crdownload',
  'node_modules/',
  '.venv/',
  '__pycache__/',
] as const;

/** A segment that a built-in rule names. The library asks every rule, and remembers each path that it was asked about. */
const builtInNames = new RegExp(`(?:^|/)(?:${builtInRules.map(namePattern).join('|')})(?:/|$)`);

const utf8Mark = '\ufeff';

/** The rules that texts make, asked in this order: built in, shared, private. The last one that speaks of a path decides. */
export function parseIgnoreRules(texts: IgnoreTexts): IgnoreRules {
  const rules = ignore({ ignorecase: false });
  addRules(rules, builtInRules, 'built_in');
  addRules(rules, linesOf(texts.shared), 'shared');
  addRules(rules, linesOf(texts.private), 'private');
  const named = (path: string, kind: 'file' | 'folder') => (kind === 'folder' ? `${path}/` : path);
  const isOfNoRule = [...linesOf(texts.shared), ...linesOf(texts.private)].every(isNoPattern)
    ? (path: string) => !builtInNames.test(path)
    : () => false;
  return {
    texts,
    isIgnored: (path, kind) =>
      path !== sharedRulesName &&
      !isOfNoRule(path) &&
      ignore.isPathValid(path) &&
      rules.ignores(named(path, kind)),
    findRule(path, kind) {
      if (path === sharedRulesName || !ignore.isPathValid(path)) return null;
      const { rule } = rules.test(named(path, kind));
      if (rule === undefined) return null;
      return { source: (rule.mark ?? 'built_in') as IgnoreRule['source'], pattern: rule.pattern };
    },
  };
}

/** Parses texts only where they are not the same as the last time: a pass asks several times. */
export function rememberIgnoreRules(): (texts: IgnoreTexts) => IgnoreRules {
  let last: IgnoreRules | null = null;
  return (texts) => {
    if (last?.texts.shared !== texts.shared || last.texts.private !== texts.private) {
      last = parseIgnoreRules(texts);
    }
    return last;
  };
}

function addRules(rules: Ignore, patterns: readonly string[], source: IgnoreRule['source']): void {
  for (const pattern of patterns) rules.add({ pattern, mark: source });
}

/** Of a built-in rule, which holds no slash but at its end. */
function namePattern(rule: string): string {
  return rule.replace(/\/$/, '').replace(/\\?[\s\S]/g, (part) => {
    if (part === '*') return '[^/]*';
    return part === '?' ? '[^/]' : part.slice(-1).replace(/[$.+^()|[\]{}*?\\]/, '\\$&');
  });
}

const isNoPattern = (line: string): boolean => line.trim() === '' || line.startsWith('#');

function linesOf(text: string | null): string[] {
  return (text ?? '').replace(utf8Mark, '').split(/\r?\n/);
}
