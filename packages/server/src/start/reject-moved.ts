import type { ServiceDeps } from '../service/service-deps.ts';
import { readMarks } from './move-marks.ts';
import { StartError } from './start-error.ts';

/**
 * Rejects a database that was moved: two active copies of one installation would diverge.
 * @throws StartError when this database was moved elsewhere, or a move into it is incomplete.
 */
export async function rejectMoved(deps: Pick<ServiceDeps, 'store'>): Promise<void> {
  const error = await movedProblem(deps);
  if (error !== null) throw new StartError(error);
}

/** Returns the reason why the service must not start here, and what to do; null without a move. */
export async function movedProblem({ store }: Pick<ServiceDeps, 'store'>): Promise<string | null> {
  const { left, filled } = await readMarks(store.reader.secrets);
  if (filled !== null) {
    return 'A move into this database is not finished: run the same command again, with the settings of where it comes from (`npm run admin -- move-to`).';
  }
  if (left === null) return null;
  return left.isDone
    ? `This installation was moved to ${left.to}: start that one. This one lacks everything that is written there; to use it anyway, run \`npm run admin -- move forget\`.`
    : `This installation is being moved to ${left.to}: run the same command again (\`npm run admin -- move-to\`). To use this one instead, run \`npm run admin -- move forget\`.`;
}

/**
 * Returns the reason why a command must not change access here: users work with another installation, where the change
 * would have no effect.
 * @returns null when this is the active installation.
 */
export async function movedFromHere({ store }: Pick<ServiceDeps, 'store'>): Promise<string | null> {
  const { left, filled } = await readMarks(store.reader.secrets);
  const nothing = 'Nothing was changed.';
  if (filled !== null) {
    return `${nothing} A move into this database is not finished: run the command with the settings of where it comes from, or finish the move (\`npm run admin -- move-to\`) first.`;
  }
  if (left === null) return null;
  return left.isDone
    ? `${nothing} This installation was moved to ${left.to}: run the command with the settings of that one.`
    : `${nothing} This installation is being moved to ${left.to}: finish the move (\`npm run admin -- move-to\`), or give it up (\`npm run admin -- move forget\`), first.`;
}
