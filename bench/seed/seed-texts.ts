import { setTimeout as wait } from 'node:timers/promises';
import { assertStatus } from '../../tests/support/expect.ts';
import { openHttpClient } from '../../tests/support/http-client.ts';
import { joinWorkspace } from '../../tests/support/join-workspace.ts';
import { createKey, signUp } from '../../tests/support/people.ts';
import { createWorkspace } from '../../tests/support/workspace-client.ts';
import type { HeaderLines } from '../load/load-job.ts';
import type { IndexLocation } from './index-location.ts';
import type { RealText } from './real-texts.ts';

const putsAtOnce = 8;
const indexedWithinMs = 15 * 60_000;
const lookAgainMs = 500;
/** Every tenth file is private to the owner. */
const privateEvery = 10;

export interface SeededTexts {
  /** The routes' common start. */
  readonly root: string;
  /** The headers of a member who does not see the owner's private files. */
  readonly headers: HeaderLines;
  /** The texts that the member sees. */
  readonly visible: readonly RealText[];
  /** The size of the index of contents. */
  readonly indexBytes: number;
}

/** Fills a workspace with the texts, a part of them private, and waits until the index of contents is up to date. */
export async function seedTexts(
  port: number,
  texts: readonly RealText[],
  location: IndexLocation & AsyncDisposable,
): Promise<SeededTexts> {
  const client = openHttpClient(`http://127.0.0.1:${port}`);
  try {
    const ada = await signUp(client);
    const grace = await signUp(client, 'Grace Hopper');
    const owned = await createWorkspace(ada, (await createKey(ada)).client);
    await joinWorkspace(owned, ada, grace);
    const node = { path: 'own', kind: 'folder', private: true };
    assertStatus(await owned.send('PUT', '/node-private', { json: node }), 200);
    const placed = texts.map(({ path, bytes }, at) => ({
      path: `${at % privateEvery === 0 ? 'own' : 'texts'}/${path}`,
      bytes,
    }));
    const left = placed.values();
    const write = async () => {
      for (const { path, bytes } of left) assertStatus(await owned.put(path, bytes), 201);
    };
    await Promise.all(Array.from({ length: putsAtOnce }, write));
    // All texts are different, and each is either shared or private.
    await untilIndexed(location, owned.id, texts.length);
    return {
      root: owned.root,
      headers: [`x-api-key: ${(await createKey(grace)).secret}`],
      visible: placed.filter(({ path }) => !path.startsWith('own/')),
      indexBytes: await location.bytes(),
    };
  } finally {
    await location[Symbol.asyncDispose]();
    await client.close();
  }
}

/** Reads the index itself: over the interface searches also find contents that are not indexed yet. */
async function untilIndexed(location: IndexLocation, workspaceId: string, contents: number): Promise<void> {
  const givesUpAt = performance.now() + indexedWithinMs;
  while ((await location.contents(workspaceId)) < contents) {
    if (performance.now() > givesUpAt) throw new Error('the index of contents does not follow');
    await wait(lookAgainMs);
  }
}
