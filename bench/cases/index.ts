import type { BenchCase } from '../bench-case.ts';
import { agents } from './agents.ts';
import { comments } from './comments.ts';
import { databases } from './databases.ts';
import { feedOnePercent } from './feed-one-percent.ts';
import { feedReplay } from './feed-replay.ts';
import { get4k } from './get-4k.ts';
import { idleFeed } from './idle-feed.ts';
import { largeFiles } from './large-files.ts';
import { list } from './list.ts';
import { logPages } from './log-pages.ts';
import { mcp } from './mcp.ts';
import { put4k } from './put-4k.ts';
import { putIntoMany } from './put-into-many.ts';
import { search } from './search.ts';
import { searchContent } from './search-content.ts';
import { start } from './start.ts';
import { syncCopies } from './sync/copies.ts';
import { syncEdits } from './sync/edits.ts';
import { syncIdle } from './sync/idle.ts';
import { syncLargeFile } from './sync/large-file.ts';
import { syncMoves } from './sync/moves.ts';
import { syncOffline } from './sync/offline.ts';
import { syncRelay } from './sync/relay.ts';
import { web } from './web.ts';

/** All cases in the order they run: `put-into-many` last, since it makes the seeded workspaces larger. */
export const cases: readonly BenchCase[] = [
  put4k,
  logPages,
  get4k,
  largeFiles,
  idleFeed,
  feedReplay,
  feedOnePercent,
  search,
  list,
  comments,
  mcp,
  putIntoMany,
];

/** Cases that run only on request: they need another server. */
export const casesOnRequest: readonly BenchCase[] = [databases];

/** The operations of the CLI that users wait for: all cases take some minutes. */
const syncCases: readonly BenchCase[] = [
  syncCopies,
  syncLargeFile,
  syncEdits,
  syncMoves,
  syncOffline,
  syncIdle,
  syncRelay,
];

/** Cases that run only when they are named: for example, not every machine has the browser that one needs. */
export const casesByName: readonly BenchCase[] = [web, ...syncCases, agents, searchContent, start];

export const allCases: readonly BenchCase[] = [...cases, ...casesOnRequest, ...casesByName];

/** One name for several cases. */
export const caseGroups: Readonly<Record<string, readonly BenchCase[]>> = { sync: syncCases };
