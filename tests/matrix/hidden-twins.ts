import assert from 'node:assert/strict';
import { jsonOf } from '../support/answer.ts';
import { chosenBackEnd } from '../support/back-end.ts';
import { assertStatus } from '../support/expect.ts';
import { seededRandom, seedFrom } from '../support/random.ts';
import type { WorkspaceClient } from '../support/workspace-client.ts';
import { type HiddenThing, nameThing, type Situation, situations } from './hidden-situations.ts';

/** Two workspaces in which others see the same happen. */
export interface Twins {
  /** Where the private thing is. */
  readonly real: WorkspaceClient;
  /** Where it never was. */
  readonly twin: WorkspaceClient;
}

/** Picks the situations below. Print it, so that a failure can be repeated. */
export const situationSeed = seedFrom('STOA_MATRIX_SEED');
const situationsElsewhere = 3;

/** All situations on SQLite; on another back end some, picked anew in each run. */
export function situationsHere(): readonly Situation[] {
  if (chosenBackEnd() === 'sqlite-disk') return situations;
  const random = seededRandom(situationSeed);
  const left = [...situations];
  while (left.length > situationsElsewhere) left.splice(random.below(left.length), 1);
  return left;
}

/**
 * Whether outsiders ask, too. They are refused as such, before anything is looked up: that is the same on every back end,
 * so that members alone ask on the others.
 */
const outsidersAsk = chosenBackEnd() === 'sqlite-disk';

/** Of these others, the ones who ask on this back end. */
export function askedHere<Other extends { readonly isMember: boolean }>(others: readonly Other[]) {
  return others.filter(({ isMember }) => isMember || outsidersAsk);
}

/** The subject of a title: who `askedHere` gives. */
export const others = outsidersAsk ? 'else' : 'else among the members';

/** Makes the hidden thing of a number, beside a file `seen.md` in both workspaces. */
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

/** Without this, a service that shows nobody anything would pass. */
export async function assertOwnerSees(
  situation: Situation,
  owner: WorkspaceClient,
  thing: HiddenThing,
): Promise<void> {
  const answer = await owner.get(thing.path);
  assertStatus(answer, situation.isThere ? 200 : 404);
  if (!situation.isThere) return;
  assert.ok(answer.bytes.toString().includes(thing.contentCanary));
  const told = [await owner.query('list'), await owner.query('search', { q: thing.nameCanary })];
  told.push(await owner.query('changes', { limit: 1000 }));
  for (const { bytes } of told) assert.ok(bytes.toString().includes(thing.nameCanary));
  const { privatePaths } = jsonOf(told[0] ?? answer);
  const details = await owner.query('list', { details: 1 });
  assert.ok(details.bytes.toString().includes(`"title":"${thing.contentCanary}"`));
  assert.ok(JSON.stringify(privatePaths).includes(thing.nameCanary));
}

/** An id that the server would have made in the same way and never did. */
export function neverMade(id: string): string {
  return id.slice(0, -4) + [...id.slice(-4)].reverse().join('');
}

export function assertFreeOf(text: string, canary: string): void {
  const at = text.indexOf(canary);
  assert.equal(at, -1, `a canary is told: …${text.slice(Math.max(0, at - 200), at + 200)}…`);
}
