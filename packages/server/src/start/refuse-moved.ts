// docs/decisions/0066-a-move-fills-a-new-installation.md

import type { ServiceDeps } from '../service/service-deps.ts';
import { readMarks } from './move-marks.ts';
import { StartError } from './start-error.ts';

/**
 * One installation must not have two lives: what people write in the one is not in the other.
 * @throws StartError when this database was moved elsewhere, or is not yet all of what is being moved here.
 */
export async function refuseMoved({ store }: Pick<ServiceDeps, 'store'>): Promise<void> {
  const { left, filled } = await readMarks(store.reader.secrets);
  if (filled !== null) {
    throw new StartError(
      'A move into this database is not finished: give the same command again, with the settings of where it comes from (`npm run admin -- move-to`).',
    );
  }
  if (left === null) return;
  throw new StartError(
    left.isDone
      ? `This installation was moved to ${left.to}: start that one. Nothing that is written there is here; to go on with this one all the same, run \`npm run admin -- move forget\`.`
      : `This installation is being moved to ${left.to}: give the same command again (\`npm run admin -- move-to\`). To go on with this one instead, run \`npm run admin -- move forget\`.`,
  );
}
