import { createHash } from 'node:crypto';
import { createStoaClient } from '@stoa/client';
import { createKey, signUp } from '../../../../tests/support/people.ts';
import { useTarget as openTarget } from '../../../../tests/support/target.ts';
import { createWorkspace } from '../../../../tests/support/workspace-client.ts';
import { resultOfWrite } from '../../src/saving/api-responses.ts';
import { type FileServer, fileServerSuite, type PutResult, type ServerChange } from './file-server-suite.ts';

const target = await openTarget();

fileServerSuite('the service', async () => {
  const person = await signUp(target, 'Ada');
  const key = await createKey(person);
  const workspace = await createWorkspace(person);
  const client = createStoaClient({ baseUrl: target.url, apiKey: key.secret });
  const server: FileServer = {
    async put(path, text, precondition, { rejectStale: reject = false, contentType = 'text/markdown' } = {}) {
      const hash = createHash('sha256').update(text).digest('hex');
      const on =
        precondition.kind === 'none'
          ? precondition
          : ({ kind: 'version', version: precondition.version, contentHash: precondition.hash } as const);
      const outcome = await client.writeFile(workspace.id, path, text, on, {
        contentType,
        onConflict: reject ? 'refuse' : 'keep',
      });
      return resultOfWrite(outcome, hash) as PutResult;
    },
    async read(path) {
      const { entries } = await client.list(workspace.id, { prefix: path });
      if (entries.length === 0) return null;
      const file = await client.readFile(workspace.id, path);
      if (file.kind !== 'file' || file.contentHash === null) return null;
      const text = new TextDecoder().decode(await file.bytes());
      return { version: file.version, hash: file.contentHash, text, contentType: file.contentType };
    },
    async versions(path) {
      const { versions } = await client.listVersions(workspace.id, path);
      return versions.map(({ version, contentHash }) => ({ version, hash: contentHash }));
    },
    async remove(path) {
      const { entries } = await client.list(workspace.id, { prefix: path });
      await client.deleteFile(workspace.id, path, entries[0]?.version ?? 0);
    },
    async move(from, to) {
      await client.move(workspace.id, { from, to });
    },
    async restore(path, version) {
      await client.restore(workspace.id, { path, targetVersion: version });
    },
  };
  return {
    server,
    async changes() {
      const page = await client.readChanges(workspace.id, { sinceSeq: workspace.startSeq });
      return page.changes.map(
        ({ seq, op, path, version, contentHash, movedFrom }): Omit<ServerChange, 'by'> => ({
          seq,
          op,
          path,
          version,
          hash: contentHash,
          ...(movedFrom === undefined ? {} : { movedFrom }),
        }),
      );
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
});
