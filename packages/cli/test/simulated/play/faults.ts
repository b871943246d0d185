import { foldersAbove, isWithin, parseConflictedCopyPath } from '@stoa/core';
import type { SimulatedClient } from '../simulated-client.ts';
import type { SimulatedKey, SimulatedServer } from '../simulated-server.ts';
import type { Stage } from './stage.ts';

/** Random faults of a workspace and its folders. */
export interface Faults {
  /** Causes one random fault. */
  happen(): void;
  /** Runs a user's action without the client's disk faults. */
  unhindered(client: SimulatedClient, act: () => void): void;
  /** Ends all temporary faults. Private items stay private. */
  end(): void;
}

const noFault = () => null;
const noLimits: SimulatedServer['limits'] = {
  storageBytes: null,
  files: null,
  maxFileBytes: 100_000_000,
  isReadOnly: false,
};

export function createFaults(
  stage: Stage,
  clients: readonly SimulatedClient[],
  others: readonly SimulatedKey[],
): Faults {
  const { random, now, server, names, oracle } = stage;
  const say = (what: string) => stage.say(`${now()} ${what}`);
  const keys = [...clients.map(({ key }) => key), ...others];
  const allow = (limits: Partial<typeof noLimits> = {}) => {
    server.limits = { ...noLimits, ...limits };
    say(`the server allows ${JSON.stringify(server.limits)}`);
  };
  const repair = (client: SimulatedClient) => {
    client.disk.fault = noFault;
    client.disk.capacityBytes = Number.MAX_SAFE_INTEGER;
  };
  const kinds: readonly (() => void)[] = [
    function makePrivate() {
      const key = random.pick(keys);
      const files = [...server.filesFor(key.userId).keys()];
      if (files.length === 0) return;
      const file = random.pick(files);
      const path = random.pick([file, ...foldersAbove(file)]);
      if (server.privateItems().has(path)) return;
      say(`${key.keyName} makes ${path} private`);
      // Other members no longer see this copy, so their losing text is stored again.
      for (const [at, { bytes }] of server.filesFor(key.userId)) {
        if (isWithin(at, path) && parseConflictedCopyPath(at) !== null) oracle.repeats(bytes);
      }
      server.setPrivate(key, path, true);
    },
    shareAgain,
    shareAgain,
    function limit() {
      const { usedBytes, usedFiles } = server.usage();
      const limits = random.pick<Partial<typeof noLimits>>([
        { isReadOnly: true },
        { storageBytes: usedBytes + random.below(60) },
        { files: usedFiles + random.below(2) },
        { maxFileBytes: 14 },
      ]);
      allow(limits);
    },
    () => allow(),
    function breakDisk() {
      const client = random.pick(clients);
      const path = random.pick([...names.folders.slice(1).map((each) => each.slice(0, -1)), ...names.files]);
      const code = random.pick(['EACCES', 'EIO', 'EBUSY']);
      const act = random.pick(['read', 'write', 'both']);
      say(`${client.key.keyName} ${code} for ${act} of ${path}`);
      client.disk.fault = (asked, at) =>
        (act === 'both' || asked === act) && (at === path || at.startsWith(`${path}/`)) ? code : null;
    },
    function fillDisk() {
      const client = random.pick(clients);
      client.disk.capacityBytes = client.disk.usedBytes() + random.below(40);
      say(`${client.key.keyName} disk is full`);
    },
    function repairDisks() {
      say('disks are repaired');
      for (const client of clients) repair(client);
    },
  ];

  return {
    happen: () => random.pick(kinds)(),
    unhindered({ disk }, act) {
      const { fault, capacityBytes } = disk;
      disk.fault = noFault;
      disk.capacityBytes = Number.MAX_SAFE_INTEGER;
      act();
      disk.fault = fault;
      disk.capacityBytes = capacityBytes;
    },
    end() {
      allow();
      for (const client of clients) repair(client);
    },
  };

  function shareAgain(): void {
    // In another member's private folder, a shared item would be hidden from its owner without a record.
    const items = [...server.privateItems()].filter(
      ([path]) => !foldersAbove(path).some((above) => server.privateItems().has(above)),
    );
    if (items.length === 0) return;
    const [path, userId] = random.pick(items);
    const key = keys.find((each) => each.userId === userId);
    if (key === undefined) return;
    say(`${key.keyName} shares ${path} again`);
    server.setPrivate(key, path, false);
  }
}
