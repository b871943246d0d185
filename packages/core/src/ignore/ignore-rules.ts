import { type FolderReached, PatternSet } from '../patterns/pattern-set.ts';
import { parseIgnoreRule } from './parse-ignore-rule.ts';

/** Limits of one text of rules. Rules beyond them have no effect; the caller reports them. */
export const ignoreRuleMaxBytes = 1000;
export const ignoreRulesMax = 5000;
export const ignoreRulesMaxBytes = 32 * 1024;

export interface IgnoreText {
  /** As written, first to last. */
  readonly rules: readonly string[];
  /** Rules beyond a limit of length, number or total size: they are not in `rules`. */
  readonly passedOver: readonly string[];
}

export interface IgnoreMatcher {
  /**
   * Returns the index of the rule that excludes a path or a folder above it, as `git check-ignore` finds it; null if no
   * rule does. A later rule overrides an earlier one, and no rule includes anything in an excluded folder again. Case
   * matters. The time is `path.length * words`; for a path in the same folder as the one before, only its name counts.
   */
  findRule(path: string, kind: 'file' | 'folder'): number | null;
  readonly words: number;
}

const byteOrderMark = '\ufeff';
const utf8 = new TextEncoder();

/** Splits a text in the syntax of gitignore into rules, as git does. */
export function readIgnoreText(text: string): IgnoreText {
  const rules: string[] = [];
  const passedOver: string[] = [];
  let bytes = 0;
  for (const line of text.slice(text.startsWith(byteOrderMark) ? 1 : 0).split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const rule = ruleOf(line);
    if (rule === '') continue;
    const ruleBytes = utf8.encode(rule).length;
    const isBeyond =
      ruleBytes > ignoreRuleMaxBytes ||
      rules.length === ignoreRulesMax ||
      bytes + ruleBytes > ignoreRulesMaxBytes;
    if (isBeyond) passedOver.push(rule);
    else {
      rules.push(rule);
      bytes += ruleBytes;
    }
  }
  return { rules, passedOver };
}

/** @param rules of `readIgnoreText`, or of several texts; later ones take precedence. */
export function createIgnoreMatcher(rules: readonly string[]): IgnoreMatcher {
  const parsed = rules.flatMap((rule, index) => {
    const found = parseIgnoreRule(byteString(rule));
    return found === null ? [] : [{ ...found, index }];
  });
  const set = new PatternSet(parsed);
  const isAny = () => true;
  const isOfFiles = (index: number) => parsed[index]?.isOfFolders === false;
  /** The folder of the last path if no rule excludes it: its other entries start from there. */
  let known: { readonly folder: string; readonly behind: FolderReached } | null = null;
  return {
    words: set.words,
    findRule(path, kind) {
      const bytes = byteString(path);
      const folderEnd = bytes.lastIndexOf('/');
      const folder = bytes.slice(0, Math.max(0, folderEnd));
      let excluding: number | null = null;
      const visit = (end: number): boolean => {
        const isFile = kind === 'file' && end === bytes.length;
        const last = parsed[set.lastMatched(isFile ? isOfFiles : isAny)];
        if (last !== undefined && !last.isNegated) excluding = last.index;
        else if (end === folderEnd) known = { folder, behind: set.reached(end) };
        return excluding !== null;
      };
      set.read(bytes, visit, folderEnd > 0 && known?.folder === folder ? known.behind : undefined);
      return excluding;
    },
  };
}

/** Strips the carriage return, all text after a null character, and trailing spaces without a backslash. */
function ruleOf(line: string): string {
  const nullAt = line.indexOf('\0');
  const text = nullAt === -1 ? line.replace(/\r$/, '') : line.slice(0, nullAt);
  if (!text.endsWith(' ')) return text;
  let end = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === ' ') continue;
    end = Math.min(at + 1, text.length);
  }
  return text.slice(0, end);
}

/** Encodes a text as UTF-8, with one character for each byte. */
function byteString(text: string): string {
  let isAscii = true;
  for (let at = 0; isAscii && at < text.length; at += 1) isAscii = text.charCodeAt(at) < 0x80;
  if (isAscii) return text;
  let bytes = '';
  for (const byte of utf8.encode(text)) bytes += String.fromCharCode(byte);
  return bytes;
}
