import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseWorkspacePath, WorkspaceError } from '@stoa/core';
import { openContent } from '../../src/service/contents/open-content.ts';
import { writeFile } from '../../src/service/files/write-file.ts';
import type { MetadataStore } from '../../src/service/ports/metadata-store.ts';
import { openService, personNamed } from '../support/open-service.ts';

const path = parseWorkspacePath('large.bin');
const body = new Uint8Array(200_000).fill(7);

test('when the database goes away after it kept a large file, its bytes are still there', async (t) => {
  const service = await openService();
  t.after(() => service[Symbol.asyncDispose]());
  const { deps } = service;
  const { store } = deps;
  const access = await service.openWorkspace(personNamed('Ada'));

  const goingAway: MetadataStore = {
    ...store,
    reader: store.reader,
    async transact(script, command) {
      await store.transact(script, command);
      throw new WorkspaceError('overloaded', {}, 'whether it was kept is not known');
    },
  };
  const write = {
    path,
    precondition: { kind: 'absent' },
    onConflict: 'keep',
    contentType: null,
    emptyAllowed: false,
  } as const;
  const written = writeFile({ ...deps, store: goingAway }, access, { ...write, body: chunksOf(body) });
  await assert.rejects(written, { code: 'overloaded' });

  const kept = await store.reader.files.find(access.workspace.id, path);
  assert.ok(kept);
  const content = await openContent(deps, kept, { start: 0, end: kept.sizeBytes });
  const chunks = content instanceof Uint8Array ? [content] : await Array.fromAsync(content);
  assert.deepEqual(new Uint8Array(Buffer.concat(chunks)), body);
});

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 50_000) yield bytes.slice(at, at + 50_000);
}
