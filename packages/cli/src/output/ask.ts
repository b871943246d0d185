import { Failure } from './failure.ts';
import type { Host } from './host.ts';
import { shownText } from './shown-text.ts';

/** Asks the user on a terminal. Without a terminal the reply counts as no. @throws Failure `declined` */
export async function requireYes(
  host: Pick<Host, 'stdin' | 'stderr'>,
  question: string,
  isAgreed: boolean,
): Promise<void> {
  if (isAgreed) return;
  if (host.stdin.isTTY !== true || host.stderr.isTTY !== true) {
    throw new Failure({
      code: 'declined',
      message: `${question} There is no terminal to ask at, so nothing was done.`,
      next: 'Say --yes if this is what you want.',
    });
  }
  // The library writes control codes even without a terminal, so it is loaded for terminals only.
  const { confirm } = await import('@clack/prompts');
  const response = await confirm({
    message: shownText(question),
    initialValue: false,
    input: host.stdin,
    output: host.stderr,
  });
  if (response !== true) throw new Failure({ code: 'declined', message: 'Nothing was done.', next: null });
}
