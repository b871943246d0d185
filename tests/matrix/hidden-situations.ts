import { randomBytes } from 'node:crypto';
import { assertStatus } from '../support/expect.ts';
import { type HttpResponse, headerOf, integerAt, jsonOf, recordOf, textAt } from '../support/response.ts';
import { share } from '../support/shares.ts';
import type { WorkspaceClient } from '../support/workspace-client.ts';

/** The hidden items of one situation, and the names by which a request could refer to them. */
export interface HiddenThing {
  /** A folder of its own, with a file `seen.md` that every member sees. */
  readonly cell: string;
  /** The hidden file, existing or not. */
  readonly path: string;
  /** The private folder around it; null where the file itself is private. */
  readonly folder: string | null;
  /** A folder that exists only for the hidden file: no file can replace it. */
  readonly obstacle: string | null;
  /** The path of the file when all could see it. */
  readonly formerPath: string | null;
  readonly threadId: string | null;
  readonly shareId: string | null;
  /** A public link to a folder around it, and the link to the same folder without it. */
  readonly links: { readonly real: string; readonly twin: string } | null;
  /** Part of the hidden name. Only a caller that got it from the interface may ever see it. */
  readonly nameCanary: string;
  /** Part of its bytes and their front matter, its comments and its icon. */
  readonly contentCanary: string;
}

/** One way to hide an item from other members. */
export interface Situation {
  readonly title: string;
  /** Whether the interface reports the lost path to the others, by `access_revoked`. */
  readonly revokes: boolean;
  /** Whether the hidden file exists for its owner to read. */
  readonly isThere: boolean;
  /** Makes the private item. In `twin` it makes only the part that others see, for a missing item. */
  readonly make: (owner: WorkspaceClient, thing: HiddenThing, twin: WorkspaceClient) => Promise<HiddenThing>;
}

/** The names of an item before it is made. They are the same in both workspaces. */
export function nameThing(number: number): HiddenThing {
  const nameCanary = `zq${randomBytes(5).toString('hex')}`;
  const contentCanary = `canary-${randomBytes(8).toString('hex')}`;
  const cell = `c${number}`;
  const folder = `${cell}/${nameCanary}`;
  return {
    cell,
    path: `${folder}/x.md`,
    folder,
    obstacle: null,
    formerPath: null,
    threadId: null,
    shareId: null,
    links: null,
    nameCanary,
    contentCanary,
  };
}

export const situations: readonly Situation[] = [
  {
    title: 'a private file',
    revokes: true,
    isThere: true,
    make: async (owner, thing) => ({ ...(await hideFile(owner, fileOf(thing))), obstacle: thing.folder }),
  },
  {
    title: 'a file in a private folder',
    revokes: false,
    isThere: true,
    make: async (owner, thing) => {
      await setPrivate(owner, thing.folder ?? '', 'folder');
      return fill(owner, thing);
    },
  },
  {
    title: 'a file in a private folder of a private folder',
    revokes: false,
    isThere: true,
    make: async (owner, thing) => {
      const deep = { ...thing, path: `${thing.folder}/in/deep/x.md`, folder: `${thing.folder}/in` };
      await setPrivate(owner, thing.folder ?? '', 'folder');
      await setPrivate(owner, deep.folder, 'folder');
      return fill(owner, deep);
    },
  },
  {
    title: 'a private folder that does not exist yet',
    revokes: false,
    isThere: false,
    make: async (owner, thing) => {
      await setPrivate(owner, thing.folder ?? '', 'folder');
      return thing;
    },
  },
  {
    title: 'a file moved into a private folder',
    revokes: false,
    isThere: true,
    make: async (owner, thing, twin) => {
      const formerPath = `${thing.cell}/moved.md`;
      await setPrivate(owner, thing.folder ?? '', 'folder');
      for (const workspace of [owner, twin]) {
        assertStatus(await workspace.put(formerPath, 'seen by all'), 201);
      }
      assertStatus(await owner.post('move', { from: formerPath, to: thing.path }), 200);
      assertStatus(await twin.remove(formerPath, 1), 204);
      return fill(owner, { ...thing, formerPath });
    },
  },
  {
    title: 'a file moved out of a private folder',
    revokes: false,
    isThere: true,
    make: async (owner, thing) => {
      await setPrivate(owner, thing.folder ?? '', 'folder');
      const filled = await fill(owner, thing);
      const path = `${thing.cell}/${thing.nameCanary}-out.md`;
      assertStatus(await owner.post('move', { from: thing.path, to: path }), 200);
      return { ...filled, path };
    },
  },
  {
    title: 'a private file that was deleted',
    revokes: true,
    isThere: false,
    make: async (owner, thing) => {
      const hidden = await hideFile(owner, fileOf(thing));
      assertStatus(await owner.remove(hidden.path, 2), 204);
      return hidden;
    },
  },
  {
    title: 'a private file that was deleted and written again',
    revokes: true,
    isThere: true,
    make: async (owner, thing) => {
      const hidden = await hideFile(owner, fileOf(thing));
      assertStatus(await owner.remove(hidden.path, 2), 204);
      assertStatus(await owner.put(hidden.path, contentOf(thing, 'again')), 201);
      return hidden;
    },
  },
  {
    title: 'the conflicted copy of a private file',
    revokes: false,
    isThere: true,
    make: async (owner, thing) => {
      await setPrivate(owner, thing.folder ?? '', 'folder');
      const filled = await fill(owner, thing);
      const lost = await owner.put(thing.path, contentOf(thing, 'lost'), { ifMatch: 1 });
      assertStatus(lost, 412);
      return { ...filled, path: textAt(jsonOf(lost), 'conflict_copy_path') };
    },
  },
  {
    title: 'a private folder under a shared folder',
    revokes: false,
    isThere: true,
    make: async (owner, thing, twin) => {
      await setPrivate(owner, thing.folder ?? '', 'folder');
      const links = {
        real: (await share(owner, thing.cell, { kind: 'folder' })).path,
        twin: (await share(twin, thing.cell, { kind: 'folder' })).path,
      };
      return fill(owner, { ...thing, links });
    },
  },
];

/** The folder of a narrow key. The cells of all items are outside of it. */
export const keyFolder = 'inside';

/** Situations that hide an item only from a key for `keyFolder`. */
export const outsideSituations: readonly Situation[] = [
  {
    title: 'a file outside of its folder',
    revokes: false,
    isThere: true,
    make: (owner, thing) => fill(owner, { ...thing, obstacle: thing.folder, folder: null }),
  },
  {
    title: 'a file that was moved out of its folder',
    revokes: false,
    isThere: true,
    make: async (owner, thing, twin) => {
      const formerPath = `${keyFolder}/${thing.cell}-moved.md`;
      for (const workspace of [owner, twin]) {
        assertStatus(await workspace.put(formerPath, 'seen by all'), 201);
      }
      assertStatus(await owner.post('move', { from: formerPath, to: thing.path }), 200);
      assertStatus(await twin.remove(formerPath, 1), 204);
      return fill(owner, { ...thing, formerPath });
    },
  },
];

/** The same path, private on its own. */
function fileOf(thing: HiddenThing): HiddenThing {
  return { ...thing, folder: null };
}

/** A file that all could see, with a link to it, then made private. */
async function hideFile(owner: WorkspaceClient, thing: HiddenThing): Promise<HiddenThing> {
  const filled = await fill(owner, thing);
  const { id } = await share(owner, thing.path, { access: 'member' });
  await setPrivate(owner, thing.path, 'file');
  return { ...filled, shareId: id };
}

/** Two versions, an icon, a sibling order, a thread and a reply, all with the canary. */
async function fill(owner: WorkspaceClient, thing: HiddenThing): Promise<HiddenThing> {
  const { path, contentCanary } = thing;
  const known = headerOf(await owner.get(path), 'x-service-version');
  const first = await owner.put(path, contentOf(thing, 'first'), known === null ? {} : { ifMatch: known });
  const version = integerAt(accepted(first), 'version');
  accepted(await owner.put(path, contentOf(thing, 'second'), { ifMatch: version }));
  accepted(await owner.send('PUT', '/node-icon', { json: { path, icon: contentCanary.slice(0, 40) } }));
  accepted(await owner.send('PUT', '/node-order', { json: { paths: [path] } }));
  const quoted = { path, kind: 'range', quote: 'second', body: `Why ${contentCanary}?` };
  const threadId = textAt(recordOf(accepted(await owner.post('comments', quoted)).thread), 'id');
  accepted(await owner.post(`comments/${threadId}/replies`, { body: `Because ${contentCanary}` }));
  return { ...thing, threadId };
}

/** The front matter also has the canary. */
function contentOf({ contentCanary }: HiddenThing, word: string): string {
  return `---\ntitle: ${contentCanary}\n---\n${word} ${contentCanary}`;
}

async function setPrivate(owner: WorkspaceClient, path: string, kind: 'file' | 'folder'): Promise<void> {
  accepted(await owner.send('PUT', '/node-private', { json: { path, kind, private: true } }));
}

function accepted(response: HttpResponse) {
  if (response.status !== 201) assertStatus(response, 200);
  return jsonOf(response);
}
