import assert from 'node:assert/strict';
import { chosenBackEnd } from '../support/back-end.ts';
import { assertStatus } from '../support/expect.ts';
import { seededRandom, seedFrom } from '../support/random.ts';
import { jsonOf } from '../support/response.ts';
import type { WorkspaceClient } from '../support/workspace-client.ts';
import { type HiddenThing, nameThing, type Situation, situations } from './hidden-situations.ts';

/** Two workspaces that look the same to other members. */
export interface Twins {
  /** The workspace with the private item. */
  readonly real: WorkspaceClient;
  /** The workspace that never had it. */
  readonly twin: WorkspaceClient;
}

/** Picks the situations below. Print it, so that a failure can be repeated. */
export const situationSeed = seedFrom('STOA_MATRIX_SEED');
const situationsElsewhere = 3;

/** All situations on SQLite; on another back end a new random choice in each run. */
export function situationsHere(): readonly Situation[] {
  if (chosenBackEnd() === 'sqlite-disk') return situations;
  const random = seededRandom(situationSeed);
  const left = [...situations];
  while (left.length > situationsElsewhere) left.splice(random.below(left.length), 1);
  return left;
}

/**
 * Whether outsiders also send requests. They are rejected before any look-up, which is the same on every back
 * end. So only members send requests on the other back ends.
 */
const outsidersAsk = chosenBackEnd() === 'sqlite-disk';

/** The callers among these that send requests on this back end. */
export function askedHere<Other extends { readonly isMember: boolean }>(others: readonly Other[]) {
  return others.filter(({ isMember }) => isMember || outsidersAsk);
}

/** The subject of a title: the callers of `askedHere`. */
export const others = outsidersAsk ? 'another user' : 'another member';

/** Makes the hidden item of a number, next to a file `seen.md` in both workspaces. */
export async function makeThing(
  situation: Situation,
  { real, twin }: Twins,
  number: number,
): Promise<HiddenThing> {
  const named = nameThing(number);
  for (const workspace of [real, twin]) {
    assertStatus(await workspace.put(`${named.cell}/seen.md`, 'seen by all'), 201);
  }
  return situation.make(real, named, twin);
}

/** Without this check a service that shows no user anything would pass. */
export async function assertOwnerSees(
  situation: Situation,
  owner: WorkspaceClient,
  thing: HiddenThing,
): Promise<void> {
  const response = await owner.get(thing.path);
  assertStatus(response, situation.isThere ? 200 : 404);
  if (!situation.isThere) return;
  assert.ok(response.bytes.toString().includes(thing.contentCanary));
  const reported = [await owner.query('list'), await owner.query('search', { q: thing.nameCanary })];
  reported.push(await owner.query('changes', { limit: 1000 }));
  for (const { bytes } of reported) assert.ok(bytes.toString().includes(thing.nameCanary));
  const { privatePaths } = jsonOf(reported[0] ?? response);
  const details = await owner.query('list', { details: 1 });
  assert.ok(details.bytes.toString().includes(`"title":"${thing.contentCanary}"`));
  assert.ok(JSON.stringify(privatePaths).includes(thing.nameCanary));
}

/** An id of the form that the server makes, but never made. */
export function neverMade(id: string): string {
  return id.slice(0, -4) + [...id.slice(-4)].reverse().join('');
}

export function assertFreeOf(text: string, canary: string): void {
  const at = text.indexOf(canary);
  assert.equal(at, -1, `a canary is in the response: …${text.slice(Math.max(0, at - 200), at + 200)}…`);
}
