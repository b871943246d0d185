import { Failure } from './failure.ts';
import type { Host } from './host.ts';

/**
 * Asks a person, on a terminal. Elsewhere nobody can answer, which counts as no.
 * @throws Failure `declined`
 */
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
  // It writes control codes even where nothing shows them: loaded for terminals alone.
  const { confirm } = await import('@clack/prompts');
  const answer = await confirm({
    message: question,
    initialValue: false,
    input: host.stdin,
    output: host.stderr,
  });
  if (answer !== true) throw new Failure({ code: 'declined', message: 'Nothing was done.', next: null });
}
