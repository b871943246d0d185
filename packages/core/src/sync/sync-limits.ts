import type { SkipReason } from './skip-reasons.ts';
import type { UploadsWait } from './sync-facts.ts';

/** Thresholds of the sync client, and the bounds of its loops, queues and lists. */

/** Rounds of planning and executing in one pass. */
export const passRoundsMax = 5;

/** More changes of one kind in a pass need confirmation, unless the folder's configuration sets another number. */
export const changesMax = 100;
/** As a limit of changes: none need confirmation. */
export const changesUnlimited = Number.MAX_SAFE_INTEGER;
/** Of few files, a loss of more than half needs confirmation, and of no more than this never. */
export const lossesFreeMax = 4;

/** Feed pages and time to catch up before planning with the known state. */
export const catchUpPagesMax = 50;
export const catchUpMsMax = 30_000;

/** Concurrent requests, and more of them while bodies are small. */
export const requestsAtOnce = 8;
export const smallRequestsAtOnce = 16;
export const smallBodyBytes = 64 * 1024;
export const bytesInFlightMax = 64 * 1024 * 1024;
/** Files up to this size are read into one buffer, which is sent. */
export const wholeBodyBytesMax = 1024 * 1024;

/** Immediate tries of an interrupted download. Further tries follow after a pause. */
export const transferTriesMax = 3;

/** Trash: retention, size, and the age below which an item is never dropped for space. */
export const trashDaysDefault = 30;
export const trashBytesDefault = 2 * 1024 ** 3;
export const trashNeverYoungerThanMs = 24 * 3600_000;
/** Longer gaps between two passes count as this much age in the trash: the clock may have jumped. */
export const trashGapMsMax = 24 * 3600_000;
/** Recorded longer gaps. An item that outlived more of them is at least as many days old. */
export const trashGapsMax = 1000;

/** Own uploads of one path within the window, alternating with other clients' writes, that pause it. */
export const editLoopUploadsMax = 10;
export const editLoopWindowMs = 60_000;
export const editLoopPauseMs = 10 * 60_000;

/** A transfer without a byte for this long fails. */
export const transferIdleMsMax = 30_000;
/** Timeout for the response after a whole upload: the server writes a large file to its disk. */
export const uploadResponseMsMax = 120_000;

const transferPausesMs = [60_000, 5 * 60_000, 30 * 60_000];

/**
 * Pauses before retrying a skipped path, after the first failure, the second, …. The last one repeats. Reasons without
 * pauses wait for a change.
 */
export const retryPausesMs: Partial<Record<SkipReason, readonly number[]>> = {
  bytes_missing: transferPausesMs,
  transfer_failed: transferPausesMs,
  name_refused: transferPausesMs,
  too_large: transferPausesMs,
  in_use: [1000, 2000, 5000, 10_000, 30_000, 60_000],
  disk_full: [60_000],
  storm: [editLoopPauseMs],
};

/** Pauses before checking whether a workspace accepts uploads again. The last one repeats. */
export const uploadsWaitPausesMs: Record<UploadsWait, readonly number[]> = {
  read_only: [1, 2, 4, 8, 15].map((minutes) => minutes * 60_000),
  quota: [5 * 60_000],
  file_count: [5 * 60_000],
};

/**
 * Largest batch of results in one transaction, and how long the first waits for others. An operation counts as concurrent
 * until its result is stored, so a longer wait leaves the processor idle.
 */
export const commitOperationsMax = 64;
export const commitWaitMs = 5;

/** Listed members of a hold, and lines of a list in a response. Further ones are only counted. */
export const listedMax = 1000;
/** Operations that the log keeps. */
export const logRowsMax = 50_000;
