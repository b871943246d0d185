import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoaClient } from '@stoa/client';
import { fillWorkspace } from '../../demo/fill-workspace.ts';
import { signIn } from './sign-in.ts';

/** The users and ids of a filled service that requests cannot list. */
export interface Filled {
  readonly workspaceId: string;
  readonly people: readonly { readonly name: string; readonly email: string; readonly password: string }[];
  /** The secrets of a key that works and of a revoked key. */
  readonly agentKey: string;
  readonly revokedKey: string;
  readonly inviteToken: string;
}

/** Larger than a text in a database row, and small when compressed. */
const largeText = 'All of this is in a file of its own beside the database.\n'.repeat(1200);

/** Fills the demo workspace. Adds large contents, a restore, private folders, a theme, an image, a former member. */
export async function fillService(baseUrl: string): Promise<Filled> {
  const { people, agentKey, workspaceId } = await fillWorkspace(baseUrl, new Date());
  const [ada, ben] = await Promise.all(people.map((person) => signIn(baseUrl, person)));
  assert.ok(ada !== undefined && ben !== undefined);
  const write = (client: StoaClient, path: string, text: string, version: number | null) =>
    client.writeFile(
      workspaceId,
      path,
      text,
      version === null ? { kind: 'absent' } : { kind: 'version', version },
    );
  await write(ada, 'reports/large.txt', largeText, null);
  await write(ada, 'reports/large.txt', `${largeText}More.`, 1);
  await ada.restore(workspaceId, { path: 'reports/large.txt', targetVersion: 1 });
  await write(ben, 'reports/again.md', 'First.', null);
  await ben.deleteFile(workspaceId, 'reports/again.md', 1);
  await write(ben, 'reports/again.md', 'Second.', null);
  await ben.setNodePrivate(workspaceId, { path: 'drafts', kind: 'folder', private: true });
  await write(ben, 'drafts/letter.md', 'Only Ben reads this.', null);
  await write(ben, 'drafts/out.md', 'Moved out, and still only for Ben.', null);
  await ben.move(workspaceId, { from: 'drafts/out.md', to: 'reports/out.md' });
  const pinned = (await ada.listVersions(workspaceId, 'plans/opening-day.md')).versions.at(-1);
  assert.ok(pinned);
  await ada.createShare(workspaceId, {
    path: 'plans/opening-day.md',
    kind: 'file',
    access: 'public',
    pinnedVersion: pinned.version,
    pinnedContentHash: pinned.contentHash,
  });
  await ada.updateWorkspace(workspaceId, {
    name: 'Harbour House Ω',
    theme: 'nord',
    themeCss: 'h1 { color: teal }',
  });
  await ada.uploadWorkspaceIcon(
    workspaceId,
    await readFile(join(import.meta.dirname, '../../demo/files/pictures/floor-plan.png')),
  );
  const revoked = await ada.createKey({ name: 'Old', actorType: 'human' });
  await ada.revokeKey(revoked.id);
  const invite = await ada.createInvite({ workspaceId, expiresInDays: 90, maxUses: 3 });
  return {
    workspaceId,
    people,
    agentKey,
    revokedKey: revoked.key,
    inviteToken: new URL(invite.url).pathname.split('/').at(-1) ?? '',
  };
}

export const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
