// docs/decisions/0066-a-move-fills-a-new-installation.md

import type { ServiceDeps } from '../service/service-deps.ts';
import { readMarks } from './move-marks.ts';
import { StartError } from './start-error.ts';

/**
 * One installation must not have two lives: what people write in the one is not in the other.
 * @throws StartError when this database was moved elsewhere, or is not yet all of what is being moved here.
 */
export async function refuseMoved(deps: Pick<ServiceDeps, 'store'>): Promise<void> {
  const refusal = await movedProblem(deps);
  if (refusal !== null) throw new StartError(refusal);
}

/** Why the service does not start here, and what to do. @returns null where nothing was moved. */
export async function movedProblem({ store }: Pick<ServiceDeps, 'store'>): Promise<string | null> {
  const { left, filled } = await readMarks(store.reader.secrets);
  if (filled !== null) {
    return 'A move into this database is not finished: give the same command again, with the settings of where it comes from (`npm run admin -- move-to`).';
  }
  if (left === null) return null;
  return left.isDone
    ? `This installation was moved to ${left.to}: start that one. Nothing that is written there is here; to go on with this one all the same, run \`npm run admin -- move forget\`.`
    : `This installation is being moved to ${left.to}: give the same command again (\`npm run admin -- move-to\`). To go on with this one instead, run \`npm run admin -- move forget\`.`;
}

/**
 * Why nothing that people may do is changed here by a command: where the service is that they use, it would change nothing.
 * @returns null where this is the installation that they use.
 */
export async function movedFromHere({ store }: Pick<ServiceDeps, 'store'>): Promise<string | null> {
  const { left, filled } = await readMarks(store.reader.secrets);
  const nothing = 'Nothing was changed.';
  if (filled !== null) {
    return `${nothing} A move into this database is not finished: give the command with the settings of where it comes from, or finish the move (\`npm run admin -- move-to\`) first.`;
  }
  if (left === null) return null;
  return left.isDone
    ? `${nothing} This installation was moved to ${left.to}: give the command with the settings of that one.`
    : `${nothing} This installation is being moved to ${left.to}: finish the move (\`npm run admin -- move-to\`), or give it up (\`npm run admin -- move forget\`), first.`;
}
