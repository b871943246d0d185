import assert from 'node:assert/strict';
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
  /** What the trash holds; left out: as core says. */
  readonly trashBytesMax?: number;
  /** Of each request, while faults are on. */
  readonly fault: (request: string) => NetworkFault;
  /** Of each page of the feed; left out: as many changes as were asked for. */
  readonly pageMax?: () => number | null;
  readonly trace: (line: string) => void;
  /** Most passes read only what events told of, as in `stoa watch`. */
  readonly watches?: boolean;
  /** What becomes of an event of the disk; left out: it is told. */
  readonly event?: () => 'told' | 'lost' | 'twice' | 'late';
  /** Between two passes; left out: chance decides. */
  readonly restMs?: number;
  /** Told of each step of engine and folder; it may end the process there, by never resolving. */
  readonly onStep?: OnStep;
}

/** Of simulated time, until nothing is to be done. */
const quietMsMax = 300_000;
/** What comes later than this is not waited for: an emptied file comes within ten seconds. */
const soonMs = 12_000;
/** A file that was sent often waits for a minute, once it rests. */
const changingMs = 61_000;
/** Of an event that comes late. */
const lateMs = 5000;

/** One machine with a synced folder: its disk and state stay, its process comes and goes. */
export interface SimulatedClient {
  readonly key: SimulatedKey;
  readonly disk: SimulatedDisk;
  readonly store: () => MemoryStateStore;
  /** Passes that found nothing more to do, since the process began. */
  readonly quietPasses: () => number;
  /** Lets time pass until nothing is to be done any more. */
  untilQuiet(passes?: number): Promise<void>;
  /** What ended the process, if something did. */
  readonly failure: () => unknown;
  start(): void;
  /** As a person's Ctrl-C does. */
  end(): void;
  /** Ends the process wherever it is: `power` takes what was not flushed, too. */
  crash(kind: 'process' | 'power'): void;
  jumpClock(ms: number): void;
  /** In the next pass, a person lets through what is held, or takes it back. */
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
  let held: 'keep' | 'confirm' | 'undo' = 'keep';
  let boots = 1;
  let ending = new AbortController();

  const work = async (own: SimulatedPace): Promise<void> => {
    const folder: LocalFolder = createSimulatedFolder({
      disk,
      wallNow: () => own.wallNow(),
      turn: () => own.turn(),
      newId: () => own.newId(),
      bootId: () => `boot-${boots}`,
      onStep,
    });
    const remote = createSimulatedRemote({ server, key, pace: own, turn: () => own.turn(), fault, pageMax });
    const { signal } = ending;
    const open = () =>
      openEngine({
        folder,
        remote,
        store,
        pace: own,
        settings: {
          maxDeletes: null,
          merge: options.merge ?? 'off',
          label: key.keyName,
          patienceMs: 5000,
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
        const tell = () => void own.turn().then(() => engine?.view.touch(path));
        if (fate === 'late') void own.sleep(lateMs).then(tell);
        else if (fate !== 'lost') tell();
        if (fate === 'twice') tell();
      });
    }
    while (!signal.aborted) {
      try {
        engine ??= await open();
        const isOnlyTouched = watches && time.random.below(4) > 0;
        const wishes = { held, isDryRun: false, isOnlyTouched } as const;
        held = 'keep';
        const outcome = await runPass(engine, { ...wishes, isSettling: !watches });
        // What is still being written, as far as can be told, comes soon.
        const soon = outcome.leftOut.every(({ reason }) => reason === 'changing') ? changingMs : soonMs;
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
    // What others did since then is still to come.
    quietPasses: () => (lastCursor === server.head ? quietPasses : 0),
    async untilQuiet(passes = 2) {
      const before = quietPasses;
      await time.run(quietMsMax, () => quietPasses >= before + passes || failure !== null);
      assert.equal(failure, null);
      assert.ok(quietPasses >= before + passes, 'it does not come to rest');
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
      held = 'confirm';
    },
    undo: () => {
      held = 'undo';
    },
  };
}
