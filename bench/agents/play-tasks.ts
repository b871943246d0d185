import type { HttpClient } from '../../tests/support/http-client.ts';
import type { Person } from '../../tests/support/people.ts';
import type { Effort } from './agent-call.ts';
import { makeStoaLocation } from './locations.ts';
import type { AgentTask } from './tasks.ts';

export type StoaSet = 'extended' | 'standard';

/** Runs one task in a new workspace. @returns null if the tool set cannot do it. */
export async function playOnStoa(
  server: HttpClient,
  person: Person,
  task: AgentTask,
  set: StoaSet,
  share: number,
): Promise<Effort | null> {
  const play = task[set];
  if (play === null) return null;
  const location = await makeStoaLocation(
    server,
    person,
    task.files(share),
    set === 'extended' ? set : undefined,
  );
  await play(location);
  return location.agent.effort;
}
