import { type BackEnd, backEnds } from '../../tests/support/back-end.ts';

/** A soak run: tests whose sizes `npm test` keeps small, at a size that supports their claim. */
export interface SoakRun {
  readonly name: string;
  /** The claim that it tests. */
  readonly says: string;
  /** Words that select the test files by their path. */
  readonly words: readonly string[];
  readonly backEnds: readonly BackEnd[];
  /** The full sizes, by environment variable. A partial run takes its share of each. */
  readonly sizes: Readonly<Record<string, number>>;
  /** The approximate duration on all its back ends, on two idle cores. */
  readonly minutes: number;
}

const embedded: readonly BackEnd[] = ['sqlite-disk'];

/** In the order in which they are worth running. */
export const soakRuns: readonly SoakRun[] = [
  {
    name: 'kills',
    says: 'a service killed under load loses nothing that it acknowledged, and its searches find it at once',
    words: ['tests/crash/'],
    backEnds,
    sizes: { STOA_CRASH_ROUNDS: 1000, STOA_INDEX_KILLS: 100 },
    minutes: 300,
  },
  {
    name: 'compare-and-swap',
    says: 'concurrent writes to a file get each version once, on the version they are based on, in order',
    words: ['tests/nodes/cas-history'],
    backEnds,
    sizes: { STOA_CAS_OPERATIONS: 200_000 },
    minutes: 30,
  },
  {
    name: 'power',
    says: 'all acknowledged changes survive a power loss or a failed disk call, whatever the disk keeps',
    words: ['tests/power/power-loss'],
    backEnds: embedded,
    sizes: { STOA_POWER_STATES: 2000, STOA_DISK_FAULTS: 200 },
    minutes: 150,
  },
  {
    name: 'backup-power',
    says: 'listed backups and restored data are complete after a power loss in a backup, prune or restore',
    words: ['tests/power/backups'],
    backEnds: embedded,
    sizes: { STOA_BACKUP_POWER_STATES: 1000 },
    minutes: 20,
  },
  {
    name: 'full-disk',
    says: 'a disk that fills up at any write loses no acknowledged change, and works again without a restart',
    words: ['tests/power/full-disk'],
    backEnds: embedded,
    sizes: { STOA_FULL_DISKS: 1000 },
    minutes: 10,
  },
  {
    name: 'model',
    says: 'SQLite, PostgreSQL and the MCP tools give the results of the model for random sequences',
    words: ['tests/model/model', 'tests/model/checked', 'tests/model/noticed'],
    backEnds,
    sizes: { STOA_MODEL_SEQUENCES: 20_000, STOA_CHECKED_SEQUENCES: 500 },
    minutes: 120,
  },
  {
    name: 'feed',
    says: 'followers at every node get each change once and in order, whatever connections are cut',
    words: ['tests/cluster/feed', 'tests/cluster/removal'],
    backEnds: embedded,
    sizes: { STOA_CLUSTER_SCALE: 10 },
    minutes: 25,
  },
  {
    name: 'held-feeds',
    says: 'one change ends all waiting feed requests of two full nodes',
    words: ['tests/nodes/held-feeds'],
    backEnds: ['sqlite-disk', 'postgres-disk'],
    sizes: { STOA_HELD_FEEDS: 10_000 },
    minutes: 2,
  },
  {
    name: 'database-cuts',
    says: 'a database that restarts, or whose connections are cut at COMMIT, loses and repeats no change',
    words: ['tests/cluster/database-failures'],
    backEnds: embedded,
    sizes: { STOA_CLUSTER_SCALE: 10 },
    minutes: 30,
  },
  {
    name: 'object-store-faults',
    says: 'an object store that lies, breaks connections or is killed causes no wrong bytes and no loss',
    words: ['tests/cluster/object-store'],
    backEnds: embedded,
    sizes: { STOA_CLUSTER_SCALE: 10 },
    minutes: 35,
  },
  {
    name: 'parallel-edits',
    says: 'two and eight concurrent editors of one file, at one node and at two, lose no line',
    words: ['tests/nodes/two-nodes', 'mcp-parallel-edits'],
    backEnds: ['sqlite-disk', 'postgres-disk'],
    sizes: { STOA_EDIT_ROUNDS: 1000 },
    minutes: 90,
  },
  {
    name: 'undo',
    says: 'an undo of one writer removes no text of another',
    words: ['tests/conformance/undo-random'],
    backEnds: ['sqlite-disk', 'postgres-disk'],
    sizes: { STOA_UNDO_SEQUENCES: 2000 },
    minutes: 30,
  },
  {
    name: 'privacy',
    says: 'each route and tool treats another user’s private item like an absent one, hidden in each way',
    words: ['tests/matrix/'],
    backEnds: ['sqlite-disk', 'postgres-disk'],
    sizes: {},
    minutes: 15,
  },
  {
    name: 'hostile-input',
    says: 'no path, front matter, theme, anchor, merge or search crashes the service or a reader',
    words: [
      'tests/raw-sockets/',
      'packages/core/test/',
      'packages/server/test/front-matter/',
      'packages/server/test/themes/',
      'packages/server/test/mcp/',
      'packages/server/test/content-search/',
    ],
    backEnds: embedded,
    sizes: { STOA_TEST_SCALE: 30 },
    minutes: 30,
  },
  {
    name: 'hostile-files',
    says: 'no uploaded file runs a script in a real browser outside its frame',
    words: ['tests/browser/'],
    backEnds: embedded,
    sizes: {},
    minutes: 2,
  },
  {
    name: 'races',
    says: 'concurrent devices, invites, removals, garbage and MCP clients cause no fault',
    words: [
      'tests/interop/concurrent-clients',
      'packages/server/test/device/',
      'packages/server/test/invites/',
      'packages/server/test/storage/',
      'tests/nodes/',
    ],
    backEnds: embedded,
    sizes: { STOA_TEST_SCALE: 5, STOA_EDIT_ROUNDS: 20 },
    minutes: 20,
  },
  {
    name: 'backups',
    says: 'backups under load can be restored, moved and checked, and the check finds planted faults',
    words: ['tests/backup/', 'packages/server/test/moving/', 'packages/server/test/checking/'],
    backEnds: embedded,
    sizes: { STOA_TEST_SCALE: 4, STOA_BACKUPS: 200 },
    minutes: 20,
  },
  {
    name: 'garbage',
    says: 'sweeps that race uploads of the same bytes remove no referenced bytes, and leave no orphan',
    words: ['packages/server/test/storage/sweep-races'],
    backEnds: embedded,
    sizes: { STOA_TEST_SCALE: 1000 },
    minutes: 5,
  },
  {
    name: 'upgrades',
    says: 'the data of each released version is complete after an upgrade by two killed nodes under load',
    words: ['tests/upgrade/'],
    backEnds: embedded,
    sizes: { STOA_UPGRADE_ROUNDS: 100 },
    minutes: 30,
  },
  {
    name: 'day',
    says: 'a simulated day of mixed load loses nothing, fails nothing and keeps memory flat',
    words: ['tests/day/'],
    backEnds: embedded,
    sizes: { STOA_DAY_QUARTERS: 96, STOA_DAY_DOINGS: 300 },
    minutes: 10,
  },
  {
    name: 'planner',
    says: 'the sync planner keeps its promises for random trees',
    words: ['core/test/sync/plan-properties'],
    backEnds: embedded,
    sizes: { STOA_SYNC_CASES: 1_000_000 },
    minutes: 20,
  },
  {
    name: 'sync-engine',
    says: 'simulated folders lose nothing, whatever fails, dies or loses power',
    words: ['cli/test/engine/whole-engine', 'cli/test/engine/folder-view'],
    backEnds: embedded,
    // 100,000 cases in all of six kinds with three to five folders each, and half as many of six kinds with one folder.
    sizes: { STOA_SYNC_CASES: 16_700 },
    minutes: 230,
  },
  {
    name: 'sync-folders',
    says: 'real folders and processes converge despite kills, lost connections and full disks',
    words: ['tests/sync/'],
    backEnds: embedded,
    sizes: {
      STOA_SYNC_SCALE: 40,
      STOA_FIRE_RUNS: 20,
      STOA_FIRE_EDITS: 200,
      STOA_FIRE_CUTS: 500,
      STOA_FIRE_SILENCE_MS: 30_000,
      STOA_FIRE_DELAY_MS: 5000,
    },
    minutes: 60,
  },
  {
    name: 'saving',
    says: 'no interleaving of typing, saving and others’ edits in the app loses a word',
    words: ['packages/web/test/saving/', 'packages/web/test/files/'],
    backEnds: embedded,
    sizes: { STOA_TEST_SCALE: 50 },
    minutes: 10,
  },
];
