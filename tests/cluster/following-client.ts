import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../support/random.ts';
import { integerAt, type JsonRecord, jsonOf, recordsAt } from '../support/response.ts';
import type { WorkspaceClient } from '../support/workspace-client.ts';

/** The part of a feed that a client saw, from its first cursor on. */
export interface Followed {
  readonly changes: readonly JsonRecord[];
  /** Pages that broke a rule of the feed. */
  readonly problems: readonly string[];
  readonly polls: number;
  /** Polls without a response. */
  readonly unanswered: number;
}

export interface Following {
  readonly random: Random;
  readonly includeComments: boolean;
  /** Whether all changes are made, so that the client may stop at the feed's end. */
  readonly isAtRest: () => boolean;
}

const pollsMax = 1_000_000;
const limitMax = 1000;
const restMsMax = 40;
/** Failed polls in a row: with the pauses, several times as long as a restart of the database takes. */
const failedPollsMax = 1000;

/** Polls one feed at random nodes with random limits, and continues from `nextSeq` as a client should. */
export async function followAtRandom(
  at: readonly WorkspaceClient[],
  { random, includeComments, isAtRest }: Following,
): Promise<Followed> {
  const changes: JsonRecord[] = [];
  const problems: string[] = [];
  let cursor = 0;
  let newestHead = 0;
  let unanswered = 0;
  let inARow = 0;
  for (let polls = 1; polls <= pollsMax; polls += 1) {
    const mayEnd = isAtRest();
    // Mostly short pages, which keep the cursor among the newest changes.
    const limit = random.below(3) === 0 ? random.below(limitMax + 1) : random.below(12);
    const wait = !mayEnd && random.below(8) === 0 ? { wait: 1 } : {};
    const asked = { sinceSeq: cursor, limit, includeComments: includeComments ? 1 : 0, ...wait };
    const response = await random
      .pick(at)
      .query('changes', asked)
      .catch(() => null);
    if (response === null || response.status === 503) {
      unanswered += 1;
      inARow += 1;
      if (inARow === failedPollsMax)
        return { changes, problems: [...problems, 'the feed stayed away'], polls, unanswered };
      await pause(random.below(restMsMax));
      continue;
    }
    inARow = 0;
    if (response.status !== 200) {
      problems.push(`a poll returned ${response.status} ${response.bytes.toString()}`);
      return { changes, problems, polls, unanswered };
    }
    const page = jsonOf(response);
    const found = recordsAt(page, 'changes');
    const head = integerAt(page, 'head');
    const nextSeq = integerAt(page, 'nextSeq');
    problems.push(...wrongPage({ sinceSeq: cursor, limit, newestHead }, { found, head, nextSeq }));
    changes.push(...found);
    cursor = nextSeq;
    newestHead = head;
    if (mayEnd && limit > 0 && nextSeq === head) return { changes, problems, polls, unanswered };
    if (random.below(4) > 0) await pause(random.below(restMsMax));
  }
  return { changes, problems: [...problems, `no end after ${pollsMax} polls`], polls: pollsMax, unanswered };
}

function wrongPage(
  asked: { readonly sinceSeq: number; readonly limit: number; readonly newestHead: number },
  {
    found,
    head,
    nextSeq,
  }: { readonly found: readonly JsonRecord[]; readonly head: number; readonly nextSeq: number },
): readonly string[] {
  const problems: string[] = [];
  const page = `page after ${asked.sinceSeq} with limit ${asked.limit}`;
  if (found.length > asked.limit) problems.push(`${page} has ${found.length} changes`);
  if (head < asked.newestHead) problems.push(`${page}: head fell from ${asked.newestHead} to ${head}`);
  if (asked.limit === 0 && nextSeq !== asked.sinceSeq)
    problems.push(`${page} moves the cursor to ${nextSeq}`);
  if (nextSeq < asked.sinceSeq || nextSeq > head) problems.push(`${page}: nextSeq ${nextSeq}, head ${head}`);
  let last = asked.sinceSeq;
  for (const change of found) {
    const seq = integerAt(change, 'seq');
    if (seq <= last || seq > nextSeq) problems.push(`${page}: ${seq} after ${last}, nextSeq ${nextSeq}`);
    last = seq;
  }
  return problems;
}
