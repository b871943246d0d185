import { setTimeout } from 'node:timers/promises';
import { parseWorkspacePath } from '@stoa/core';
import { createSimulatedRemote } from '../simulated/simulated-remote.ts';
import { SimulatedServer } from '../simulated/simulated-server.ts';
import { remoteWorkspaceSuite } from './remote-workspace-suite.ts';

const key = (name: string) => ({ userId: `user-${name}`, keyId: `key-${name}`, keyName: name });

remoteWorkspaceSuite('simulated workspace', async () => {
  const server = new SimulatedServer(() => Date.parse('2026-11-20T14:30:12Z'));
  const other = key('ada');
  server.addMember(other.userId);
  const at = parseWorkspacePath;
  const versionOf = (path: string) => {
    const file = server.find(at(path), other.userId);
    return { version: file?.version ?? 0, contentHash: null };
  };
  return {
    remote: createSimulatedRemote({
      server,
      key: key('sync'),
      step: async () => {},
      pace: {
        sleep: (ms, signal) =>
          setTimeout(ms, undefined, signal === undefined ? {} : { signal }).catch(() => {}),
      },
    }),
    other: {
      write: async (path, text) => {
        const precondition = { kind: 'version', ...versionOf(path) } as const;
        server.write(other, at(path), new TextEncoder().encode(text), precondition, null);
      },
      remove: async (path) => void server.delete(other, at(path), versionOf(path)),
      move: async (from, to) => void server.move(other, at(from), at(to), null),
      setPrivate: async (path, _kind, isPrivate) => server.setPrivate(other, at(path), isPrivate),
    },
    [Symbol.asyncDispose]: async () => {},
  };
});
