import assert from 'node:assert/strict';
import { changesMax } from '@stoa/core';
import { openEngine } from '../../src/engine/engine.ts';
import { FolderGoneError, type LocalFolder } from '../../src/engine/ports/local-folder.ts';
import type { OnStep } from '../../src/engine/ports/pace.ts';
import { RemoteFailure } from '../../src/engine/ports/remote-workspace.ts';
import { runPass } from '../../src/engine/run-pass.ts';
import { createMemoryStateStore, type MemoryStateStore } from './memory-state-store.ts';
import { type DiskOptions, plainDisk, SimulatedDisk } from './simulated-disk.ts';
import { createSimulatedFolder } from './simulated-folder.ts';
import type { SimulatedPace, SimulatedTime } from './simulated-pace.ts';
import { createSimulatedRemote, type NetworkFault } from './simulated-remote.ts';
import type { SimulatedKey, SimulatedServer } from './simulated-server.ts';

export interface SimulatedClientOptions {
  readonly time: SimulatedTime;
  readonly server: SimulatedServer;
  readonly key: SimulatedKey;
  readonly disk?: Partial<DiskOptions>;
  readonly merge?: 'off' | 'clean';
  /** Size limit of the trash. Default: the limit of the engine. */
  readonly trashBytesMax?: number;
  /** Chooses the fault of each request. */
  readonly fault: (request: string) => NetworkFault;
  /** Limits each page of the feed. Default: the limit of the request. */
  readonly pageMax?: () => number | null;
  readonly trace: (line: string) => void;
  /** Most passes read only paths that events reported, as in `stoa watch`. */
  readonly watches?: boolean;
  /** Decides the delivery of each disk event. Default: it is delivered. */
  readonly event?: () => 'told' | 'lost' | 'twice' | 'late';
  /** Pause between two passes. Default: random. */
  readonly restMs?: number;
  /** Called at each step of engine and folder. A promise that never resolves ends the process there. */
  readonly onStep?: OnStep;
}

/** Timeout of `untilQuiet`, in simulated time. */
const quietMsMax = 300_000;
/** A retry later than this does not delay quiet. An emptied file is due within ten seconds. */
const soonMs = 12_000;
/** A file that was sent often waits for a minute after its last change. */
const changingMs = 61_000;
/** Delay of a late event. */
const lateMs = 5000;

/** One machine with a synced folder. Its disk and state survive when its process ends. */
export interface SimulatedClient {
  readonly key: SimulatedKey;
  readonly disk: SimulatedDisk;
  readonly store: () => MemoryStateStore;
  /** Consecutive passes with no work left, since the process began. */
  readonly quietPasses: () => number;
  /** Advances time until no work is left. */
  untilQuiet(passes?: number): Promise<void>;
  /** The error that ended the process, or null. */
  readonly failure: () => unknown;
  start(): void;
  /** Ends the process as Ctrl-C does. */
  end(): void;
  /** Ends the process at any step. `power` also damages files that were not flushed. */
  crash(kind: 'process' | 'power'): void;
  jumpClock(ms: number): void;
  /** The next pass applies or undoes the changes that are pending confirmation. */
  confirm(): void;
  undo(): void;
}

export function createSimulatedClient(options: SimulatedClientOptions): SimulatedClient {
  const {
    time,
    server,
    key,
    fault,
    pageMax = () => null,
    trace,
    watches = false,
    event = () => 'told',
    onStep = () => {},
  } = options;
  const disk = new SimulatedDisk({ ...plainDisk, now: () => time.now(), ...options.disk });
  disk.makeFolders('.stoa');
  disk.writeFile('.stoa/config.json', new TextEncoder().encode('{}'));
  let pace: SimulatedPace = time.createPace();
  let store = createMemoryStateStore(() => pace.turn());
  let quietPasses = 0;
  let lastCursor = 0;
  let failure: unknown = null;
  let pending: 'keep' | 'confirm' | 'undo' = 'keep';
  let boots = 1;
  let ending = new AbortController();

  const work = async (own: SimulatedPace): Promise<void> => {
    const folder: LocalFolder = createSimulatedFolder({
      disk,
      wallNow: () => own.wallNow(),
      step: () => own.turn(),
      newId: () => own.newId(),
      bootId: () => `boot-${boots}`,
      onStep,
    });
    const remote = createSimulatedRemote({ server, key, pace: own, step: () => own.turn(), fault, pageMax });
    const { signal } = ending;
    const open = () =>
      openEngine({
        folder,
        remote,
        store,
        pace: own,
        settings: {
          maxChanges: changesMax,
          merge: options.merge ?? 'off',
          label: key.keyName,
          retryBudgetMs: 5000,
          ...(options.trashBytesMax === undefined ? {} : { trashBytesMax: options.trashBytesMax }),
        },
        onStep,
        onEvent: (event) => trace(`${time.now()} ${key.keyName} ${JSON.stringify(event)}`),
        signal,
      });
    let engine: Awaited<ReturnType<typeof open>> | null = null;
    if (watches) {
      disk.listen((path) => {
        if (path === '.stoa' || path.startsWith('.stoa/')) return;
        const fate = event();
        const report = () => void own.turn().then(() => engine?.view.touch(path));
        if (fate === 'late') void own.sleep(lateMs).then(report);
        else if (fate !== 'lost') report();
        if (fate === 'twice') report();
      });
    }
    while (!signal.aborted) {
      try {
        engine ??= await open();
        const isOnlyTouched = watches && time.random.below(4) > 0;
        const options = { pending, isDryRun: false, isOnlyTouched } as const;
        pending = 'keep';
        const outcome = await runPass(engine, { ...options, isSettling: !watches });
        // Files that are probably still being written are due soon.
        const soon = outcome.skipped.every(({ reason }) => reason === 'changing') ? changingMs : soonMs;
        const comesSoon = outcome.isUnsettled || (outcome.retryInMs ?? soon) < soon;
        quietPasses = outcome.isInSync && !comesSoon ? quietPasses + 1 : 0;
        lastCursor = outcome.cursor;
      } catch (error) {
        if (!(error instanceof RemoteFailure) || error.kind !== 'passing') throw error;
      }
      await own.sleep(options.restMs ?? 200 + time.random.below(3000));
    }
  };
  return {
    key,
    disk,
    store: () => store,
    // A later change on the server means that work is left.
    quietPasses: () => (lastCursor === server.head ? quietPasses : 0),
    async untilQuiet(passes = 2) {
      const before = quietPasses;
      await time.run(quietMsMax, () => quietPasses >= before + passes || failure !== null);
      assert.equal(failure, null);
      assert.ok(quietPasses >= before + passes, 'the client has work left at the timeout');
    },
    failure: () => failure,
    start() {
      pace = time.createPace();
      const own = pace;
      ending = new AbortController();
      const { signal } = ending;
      quietPasses = 0;
      work(own).catch((error: unknown) => {
        if (own === pace && !signal.aborted)
          failure = error instanceof FolderGoneError ? error : (error ?? 'ended');
      });
    },
    end: () => ending.abort(new Error('ended')),
    crash(kind) {
      pace.end();
      store = store.crash(kind);
      if (kind === 'power') {
        boots += 1;
        disk.losePower(() => time.random.below(2) === 0);
      }
    },
    jumpClock: (ms) => pace.jump(ms),
    confirm: () => {
      pending = 'confirm';
    },
    undo: () => {
      pending = 'undo';
    },
  };
}
