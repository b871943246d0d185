import { type Random, seededRandom } from '../support/random.ts';
import type { WorkspaceClient } from '../support/workspace-client.ts';
import { differencesFrom, readWholeFeed, type WholeFeed } from './compare-feeds.ts';
import { type Followed, followAtRandom } from './following-client.ts';
import { hiddenFolder, reachOf, type Team } from './make-team.ts';
import type { Cluster } from './start-cluster.ts';
import { type Ledger, type Progress, writeAsOnlyWriter } from './writing-client.ts';

export interface FeedPlay {
  readonly writers: number;
  readonly followers: number;
  readonly sizes: readonly number[];
  readonly seed: number;
  readonly progress: Progress;
  /** Whether a writer has made enough changes. Each writer calls it before each change; it may let the writer wait. */
  readonly isEnough: (changes: number) => boolean | Promise<boolean>;
}

export interface PlayedFeed {
  readonly ledgers: readonly Ledger[];
  /** The changes that followers missed or saw wrongly. */
  readonly differences: readonly string[];
  /** Responses that were wrong on their own. */
  readonly problems: readonly string[];
  readonly summary: string;
}

/**
 * Runs writers on the team's workspaces and followers on their feeds, all at all nodes. Compares the changes that the
 * followers collected with the final feeds.
 */
export async function playFeed(cluster: Cluster, team: Team, play: FeedPlay): Promise<PlayedFeed> {
  const random = seededRandom(play.seed);
  let isAtRest = false;
  const following = Array.from({ length: play.followers }, (_, n) =>
    follow(cluster, team, n, seededRandom(random.below(2 ** 31)), () => isAtRest),
  );
  const ledgers = await Promise.all(
    Array.from({ length: play.writers }, (_, n) => {
      const [member, folder] =
        n % 4 === 0
          ? [team.owner, `${hiddenFolder}/writer ${n}`]
          : [n % 2 === 0 ? team.owner : team.colleague, `writer ${n}`];
      return writeAsOnlyWriter(reachOf(cluster, workspaceOf(team, n), member), {
        folder,
        sizes: play.sizes,
        random: seededRandom(random.below(2 ** 31)),
        progress: play.progress,
        isEnough: play.isEnough,
      });
    }),
  );
  isAtRest = true;
  const followed = await Promise.all(following);
  const { acknowledged, rejected, unclear } = play.progress;
  const polls = followed.reduce((total, { seen }) => total + seen.polls, 0);
  const unanswered = followed.reduce((total, { seen }) => total + seen.unanswered, 0);
  return {
    ledgers,
    differences: followed.flatMap(({ name, whole, seen }) =>
      differencesFrom(whole.changes, seen.changes).map((difference) => `${name} ${difference}`),
    ),
    problems: [
      ...ledgers.flatMap(({ problems }) => problems),
      ...followed.flatMap(({ name, seen }) => seen.problems.map((problem) => `${name}: ${problem}`)),
    ],
    summary: `${acknowledged} changes acknowledged, ${rejected} rejected, ${unclear} unclear; ${polls} polls, ${unanswered} without a response`,
  };
}

async function follow(
  cluster: Cluster,
  team: Team,
  n: number,
  random: Random,
  isAtRest: () => boolean,
): Promise<{ readonly name: string; readonly whole: WholeFeed; readonly seen: Followed }> {
  const member = n % 4 < 2 ? team.owner : team.colleague;
  const caller = random.pick([member.person.session, member.key.client]);
  const at = cluster.workspaceAt(workspaceOf(team, n), caller);
  const includeComments = random.below(2) === 0;
  const seen = await followAtRandom(at, { random, includeComments, isAtRest });
  return { name: `follower ${n}`, seen, whole: await readWholeFeed(random.pick(at), includeComments) };
}

/** The first workspace is hot: it has half of all writers and followers. */
function workspaceOf({ workspaces }: Team, n: number): WorkspaceClient {
  const rest = workspaces.length - 1;
  const workspace = workspaces[n % 2 === 0 || rest === 0 ? 0 : 1 + (((n - 1) / 2) % rest)];
  if (workspace === undefined) throw new Error('there is no workspace');
  return workspace;
}
