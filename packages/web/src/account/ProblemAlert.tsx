import { account as texts } from '../text/en/account.ts';
import { FormAlert } from '../ui/States.tsx';
import { useCountdown } from './use-countdown.ts';

export type AlertedProblem =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'wait'; readonly untilMs: number };

/** The error above the button. A rate limit counts down and disappears at zero. */
export function ProblemAlert({
  id,
  problem,
}: {
  readonly id: string;
  readonly problem: AlertedProblem | null;
}) {
  const seconds = useCountdown(problem?.kind === 'wait' ? problem.untilMs : null);
  if (problem === null) return null;
  if (problem.kind === 'text') return <FormAlert id={id}>{problem.text}</FormAlert>;
  return seconds === 0 ? null : <FormAlert id={id}>{texts.tooManyAttempts(seconds)}</FormAlert>;
}
