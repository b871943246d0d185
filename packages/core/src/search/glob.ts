/** `*` stands for any characters within a segment, `**` for any at all, `?` for one within a segment. */
export interface Glob {
  /** Whether it speaks of whole paths, or of names alone. */
  readonly isOfPaths: boolean;
  /** Any case. Time grows with the pattern times the text, never faster. */
  matches(text: string): boolean;
}

type Step =
  | { readonly kind: 'one' | 'segment' | 'all' }
  | { readonly kind: 'literal'; readonly text: string };

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
  return { isOfPaths: pattern.includes('/'), matches: (text) => run(steps, text.toLowerCase()) };
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
      const goesOn =
        step.kind === 'literal' ? step.text === character : step.kind === 'one' && character !== '/';
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

/** What stands for any number of characters stands for none as well. */
function passEmpty(steps: readonly Step[], reached: Uint8Array): void {
  for (const [at, { kind }] of steps.entries()) {
    if (reached[at] === 1 && (kind === 'all' || kind === 'segment')) reached[at + 1] = 1;
  }
}
