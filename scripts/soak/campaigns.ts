import { type BackEnd, backEnds } from '../../tests/support/back-end.ts';

/** Tests whose sizes the gate keeps small, at the size that proves what they promise. */
export interface Campaign {
  readonly name: string;
  /** What it would find. */
  readonly says: string;
  /** Test files: those whose path contains one of the words. */
  readonly words: readonly string[];
  readonly backEnds: readonly BackEnd[];
  /** The whole size, by environment variable. A piece of the campaign takes its share of each. */
  readonly sizes: Readonly<Record<string, number>>;
  /** Of the whole campaign on all its back ends, on two quiet cores, as far as it is known. */
  readonly minutes: number;
}

const embedded: readonly BackEnd[] = ['sqlite-disk'];

/** In the order in which they are worth running. */
export const campaigns: readonly Campaign[] = [
  {
    name: 'kills',
    says: 'a service killed while sixteen clients write loses nothing that it acknowledged',
    words: ['tests/crash/'],
    backEnds,
    sizes: { STOA_CRASH_ROUNDS: 1000 },
    minutes: 240,
  },
  {
    name: 'compare-and-swap',
    says: 'of all writes to a file each version was given once, on what it was decided on, in the order of time',
    words: ['tests/nodes/cas-history'],
    backEnds,
    sizes: { STOA_CAS_OPERATIONS: 200_000 },
    minutes: 30,
  },
  {
    name: 'power',
    says: 'whatever a disk keeps when its power goes or a call to it fails, all that was acknowledged is there',
    words: ['tests/power/power-loss'],
    backEnds: embedded,
    sizes: { STOA_POWER_STATES: 2000, STOA_DISK_FAULTS: 200 },
    minutes: 150,
  },
  {
    name: 'backup-power',
    says: 'whatever a disk keeps when its power goes during a backup, a prune or a restore, what is there is whole',
    words: ['tests/power/backups'],
    backEnds: embedded,
    sizes: { STOA_BACKUP_POWER_STATES: 1000 },
    minutes: 20,
  },
  {
    name: 'full-disk',
    says: 'a disk that fills up at any write loses nothing that was acknowledged, and works again without a restart',
    words: ['tests/power/full-disk'],
    backEnds: embedded,
    sizes: { STOA_FULL_DISKS: 1000 },
    minutes: 10,
  },
  {
    name: 'model',
    says: 'SQLite, PostgreSQL and the MCP tools answer random sequences as the model does',
    words: ['tests/model/model', 'tests/model/checked', 'tests/model/noticed'],
    backEnds,
    sizes: { STOA_MODEL_SEQUENCES: 20_000, STOA_CHECKED_SEQUENCES: 500 },
    minutes: 120,
  },
  {
    name: 'feed',
    says: 'followers at every node get each change once, in order, whatever is cut off meanwhile',
    words: ['tests/cluster/feed', 'tests/cluster/removal'],
    backEnds: embedded,
    sizes: { STOA_CLUSTER_SCALE: 10 },
    minutes: 25,
  },
  {
    name: 'held-feeds',
    says: 'as many feed requests as two nodes hold are all answered by one change, and none stays held',
    words: ['tests/nodes/held-feeds'],
    backEnds: ['sqlite-disk', 'postgres-disk'],
    sizes: { STOA_HELD_FEEDS: 10_000 },
    minutes: 2,
  },
  {
    name: 'database-cuts',
    says: 'a database that restarts, or whose connections are cut at COMMIT, loses and doubles nothing',
    words: ['tests/cluster/database-failures'],
    backEnds: embedded,
    sizes: { STOA_CLUSTER_SCALE: 10 },
    minutes: 30,
  },
  {
    name: 'object-store-faults',
    says: 'an object store that lies, cuts off or is killed makes no wrong bytes and loses none',
    words: ['tests/cluster/object-store'],
    backEnds: embedded,
    sizes: { STOA_CLUSTER_SCALE: 10 },
    minutes: 35,
  },
  {
    name: 'parallel-edits',
    says: 'two and eight who edit one file at once, at one node and at two, lose no line',
    words: ['tests/nodes/two-nodes', 'mcp-parallel-edits'],
    backEnds: ['sqlite-disk', 'postgres-disk'],
    sizes: { STOA_EDIT_ROUNDS: 1000 },
    minutes: 90,
  },
  {
    name: 'undo',
    says: 'an undo of one writer takes nothing of another',
    words: ['tests/conformance/undo-random'],
    backEnds: ['sqlite-disk', 'postgres-disk'],
    sizes: { STOA_UNDO_SEQUENCES: 2000 },
    minutes: 30,
  },
  {
    name: 'privacy',
    says: 'somebody else’s private thing equals an absent one, on each route and tool, hidden in each way',
    words: ['tests/matrix/'],
    backEnds: ['sqlite-disk', 'postgres-disk'],
    sizes: {},
    minutes: 15,
  },
  {
    name: 'hostile-input',
    says: 'no path, front matter, theme, anchor, merge or search brings the service or a reader down',
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
    says: 'devices, invites, removals, garbage and MCP clients that meet at one moment',
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
    says: 'backups under load are restored, moved and checked, and what is planted wrong is found',
    words: ['tests/backup/', 'packages/server/test/moving/', 'packages/server/test/checking/'],
    backEnds: embedded,
    sizes: { STOA_TEST_SCALE: 4, STOA_BACKUPS: 200 },
    minutes: 20,
  },
  {
    name: 'garbage',
    says: 'sweepers that race uploads of the same bytes remove nothing that is named, and leave no orphan',
    words: ['packages/server/test/storage/sweep-races'],
    backEnds: embedded,
    sizes: { STOA_TEST_SCALE: 1000 },
    minutes: 5,
  },
  {
    name: 'upgrades',
    says: 'the data of each released version is complete after an upgrade by two nodes that are killed meanwhile, under load',
    words: ['tests/upgrade/'],
    backEnds: embedded,
    sizes: { STOA_UPGRADE_ROUNDS: 100 },
    minutes: 30,
  },
  {
    name: 'day',
    says: 'a day of mixed load in little time loses nothing, fails nothing, and leaves memory as it was',
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
    // Of six kinds with three to five folders each, 100,000 in all, and of six with one folder half as many.
    sizes: { STOA_SYNC_CASES: 16_700 },
    minutes: 230,
  },
  {
    name: 'sync-folders',
    says: 'real folders and processes, with kills, cuts and full disks, end up where they belong',
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
