import { invalidRequest } from '../errors.ts';

/** `*` stands for any characters within a segment, `**` for any at all, `?` for one within a segment. */
export interface Glob {
  /** Whether it speaks of whole paths, or of names alone. */
  readonly isOfPaths: boolean;
  /** Any case. Time grows with the pattern times the text, never faster. */
  matches(text: string): boolean;
}

type Step =
  | { readonly kind: 'one' | 'segment' | 'all' }
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'of'; readonly characters: Characters };

/** One of those between brackets. */
interface Characters {
  readonly isExcept: boolean;
  readonly ranges: readonly { readonly first: number; readonly last: number }[];
}

export function isGlob(text: string): boolean {
  return /[*?]/.test(text);
}

export function parseGlob(pattern: string): Glob {
  const steps: Step[] = [];
  for (const [part] of pattern.toLowerCase().matchAll(/\*+|[\s\S]/gu)) {
    if (part === '?') steps.push({ kind: 'one' });
    else if (part.startsWith('*')) steps.push({ kind: part.length > 1 ? 'all' : 'segment' });
    else steps.push({ kind: 'literal', text: part });
  }
  return globOf(pattern, steps);
}

/**
 * As `parseGlob`, and brackets hold the characters of which one stands there: `[ab]`, `[0-9]`, `[!a]`.
 * @throws WorkspaceError `invalid_request` where a bracket is not closed, or closes nothing.
 */
export function parsePathGlob(pattern: string): Glob {
  const steps: Step[] = [];
  for (const [part, inside] of pattern.toLowerCase().matchAll(/\[([!^]?\]?[^\]/]*)\]|\*+|[\s\S]/gu)) {
    if (inside !== undefined && /[^!^]/.test(inside)) {
      steps.push({ kind: 'of', characters: charactersOf(inside) });
    } else if (inside !== undefined || part === '[' || part === ']') {
      throw invalidRequest(
        `path: "${pattern}" has a bracket without its counterpart: write [[] or []] for a bracket itself`,
      );
    } else if (part === '?') steps.push({ kind: 'one' });
    else if (part.startsWith('*')) steps.push({ kind: part.length > 1 ? 'all' : 'segment' });
    else steps.push({ kind: 'literal', text: part });
  }
  return globOf(pattern, steps);
}

function globOf(pattern: string, steps: readonly Step[]): Glob {
  return { isOfPaths: pattern.includes('/'), matches: (text) => run(steps, text.toLowerCase()) };
}

function charactersOf(inside: string): Characters {
  const isExcept = /^[!^]/.test(inside);
  const ranges = [...inside.slice(isExcept ? 1 : 0).matchAll(/([\s\S])-([\s\S])|[\s\S]/gu)].map(
    ([single, first = single, last = single]) => ({
      first: first.codePointAt(0) ?? 0,
      last: last.codePointAt(0) ?? 0,
    }),
  );
  return { isExcept, ranges };
}

function isOf({ isExcept, ranges }: Characters, character: string): boolean {
  const point = character.codePointAt(0) ?? 0;
  return character !== '/' && ranges.some(({ first, last }) => first <= point && point <= last) !== isExcept;
}

/** All places that the pattern can have reached are followed at once. */
function run(steps: readonly Step[], text: string): boolean {
  let reached = new Uint8Array(steps.length + 1);
  reached[0] = 1;
  passEmpty(steps, reached);
  for (const character of text) {
    const next = new Uint8Array(steps.length + 1);
    let isAlive = false;
    for (const [at, step] of steps.entries()) {
      if (reached[at] !== 1) continue;
      const stays = step.kind === 'all' || (step.kind === 'segment' && character !== '/');
      const goesOn = isStepOver(step, character);
      if (stays) next[at] = 1;
      if (goesOn) next[at + 1] = 1;
      isAlive ||= stays || goesOn;
    }
    if (!isAlive) return false;
    passEmpty(steps, next);
    reached = next;
  }
  return reached[steps.length] === 1;
}

function isStepOver(step: Step, character: string): boolean {
  switch (step.kind) {
    case 'literal':
      return step.text === character;
    case 'of':
      return isOf(step.characters, character);
    case 'one':
      return character !== '/';
    case 'segment':
    case 'all':
      return false;
  }
}

/** What stands for any number of characters stands for none as well. */
function passEmpty(steps: readonly Step[], reached: Uint8Array): void {
  for (const [at, { kind }] of steps.entries()) {
    if (reached[at] === 1 && (kind === 'all' || kind === 'segment')) reached[at + 1] = 1;
  }
}
