import { createIgnoreMatcher, readIgnoreText } from '@stoa/core';
import type { IgnoreRule, IgnoreRules, IgnoreTexts } from '../engine/ports/ignore-rules.ts';

/** Shared rules: an ordinary file at the root. */
export const sharedRulesName = '.stoaignore';
/** Private rules in the hidden folder, for this folder only. */
export const privateRulesName = 'ignore';
export const rulesBytesMax = 1024 * 1024;

/** Files of systems and editors, and files that tools can create again. A `!` rule includes them again. */
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

/** Matches a segment named by a built-in rule. Faster than the matcher if there are no other rules. */
const builtInNames = new RegExp(`(?:^|/)(?:${builtInRules.map(namePattern).join('|')})(?:/|$)`);

/** Built-in, then shared, then private rules. The last rule that matches a path decides, as in git. */
export function parseIgnoreRules(texts: IgnoreTexts): IgnoreRules {
  const shared = readIgnoreText(texts.shared ?? '');
  const own = readIgnoreText(texts.private ?? '');
  const ofSource = (source: IgnoreRule['source'], patterns: readonly string[]): IgnoreRule[] =>
    patterns.map((pattern) => ({ source, pattern }));
  const rules = [
    ...ofSource('built_in', builtInRules),
    ...ofSource('shared', shared.rules),
    ...ofSource('private', own.rules),
  ];
  const matcher = createIgnoreMatcher(rules.map(({ pattern }) => pattern));
  const isBuiltInOnly = rules.length === builtInRules.length;
  const findRule: IgnoreRules['findRule'] = (path, kind) => {
    if (path === sharedRulesName || (isBuiltInOnly && !builtInNames.test(path))) return null;
    const found = matcher.findRule(path, kind);
    return found === null ? null : (rules[found] ?? null);
  };
  return {
    texts,
    rules,
    passedOver: [...ofSource('shared', shared.passedOver), ...ofSource('private', own.passedOver)],
    findRule,
    isIgnored: (path, kind) => findRule(path, kind) !== null,
  };
}

/** Caches the parsed rules, because a pass needs the same texts several times. */
export function rememberIgnoreRules(): (texts: IgnoreTexts) => IgnoreRules {
  let last: IgnoreRules | null = null;
  return (texts) => {
    if (last?.texts.shared !== texts.shared || last.texts.private !== texts.private) {
      last = parseIgnoreRules(texts);
    }
    return last;
  };
}

/** Regular expression of a built-in rule, which has no slash except at its end. */
function namePattern(rule: string): string {
  return rule.replace(/\/$/, '').replace(/\\?[\s\S]/g, (part) => {
    if (part === '*') return '[^/]*';
    return part === '?' ? '[^/]' : part.slice(-1).replace(/[$.+^()|[\]{}*?\\]/, '\\$&');
  });
}
