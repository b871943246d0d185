import type { LeftOutReason } from './left-out-reasons.ts';
import type { UploadsWait } from './sync-facts.ts';

/** Numbers that the sync client decides by, and the bounds of its loops, queues and lists. */

/** Rounds of planning and doing in one pass. */
export const passRoundsMax = 5;

/** Deletes sent at once beyond this number are held, unless the folder's configuration has another. */
export const deletesThereMax = 100;
/** Fewer deletes than this are never held for their share of the base… */
export const deletesThereShareFrom = 10;
/** …beyond which they are. */
export const deletesThereShareMax = 0.25;
/** Deleting all of a base of this many files or more is held. */
export const wholeBaseFrom = 5;

/** Removals here are held from this number on… */
export const deletesHereFrom = 50;
/** …beyond this share of the base. */
export const deletesHereShareMax = 0.5;

/** Updates to send are held from this number on… */
export const changesFrom = 200;
/** …beyond this share of the base. */
export const changesShareMax = 0.5;

/** Conflicted copies that a first contact makes without asking. */
export const firstContactCopiesMax = 100;

/** Differences that only a list shows: more of them, or a greater share of the base, are held. */
export const listDifferencesMax = 100;
export const listDifferencesShareMax = 0.25;
/** The share counts from a base of this many files on. */
export const listDifferencesShareFrom = 20;

/** Pages and time of catching up with the feed before planning goes ahead with what is known. */
export const catchUpPagesMax = 50;
export const catchUpMsMax = 30_000;

/** Requests at once; and where the bodies are small on the whole. */
export const requestsAtOnce = 8;
export const smallRequestsAtOnce = 16;
export const smallBodyBytes = 64 * 1024;
export const bytesInFlightMax = 64 * 1024 * 1024;
/** Up to this size a file is read whole, and that very buffer is sent. */
export const wholeBodyBytesMax = 1024 * 1024;

/** A download that broke off is tried this often at once, then again after a pause. */
export const transferTriesMax = 3;

/** Trash: how long, how much, and how young a thing must be never to be dropped for room. */
export const trashDaysDefault = 30;
export const trashBytesDefault = 2 * 1024 ** 3;
export const trashNeverYoungerThanMs = 24 * 3600_000;
/** Of the time between two passes no more counts for the trash: the clock may have jumped. */
export const trashGapMsMax = 24 * 3600_000;
/** Longer gaps that are remembered: what lived through more of them is as many days old at least. */
export const trashGapsMax = 1000;

/** Own uploads of one path within the window, with foreign writes between, that make it wait. */
export const stormUploadsMax = 10;
export const stormWindowMs = 60_000;
export const stormPauseMs = 10 * 60_000;

/** Without a byte for this long a transfer is given up. */
export const transferIdleMsMax = 30_000;
/** For the answer to an upload, once all of it is sent: a large file is being put on the server's disk. */
export const uploadAnswerMsMax = 120_000;

const transferPausesMs = [60_000, 5 * 60_000, 30 * 60_000];

/**
 * When a path that was left out is worth another try, after the first failure, the second, …; the last of them counts for all
 * that follow. Reasons that are not here wait for something to change.
 */
export const retryPausesMs: Partial<Record<LeftOutReason, readonly number[]>> = {
  bytes_missing: transferPausesMs,
  transfer_failed: transferPausesMs,
  name_refused: transferPausesMs,
  too_large: transferPausesMs,
  in_use: [1000, 2000, 5000, 10_000, 30_000, 60_000],
  disk_full: [60_000],
  storm: [stormPauseMs],
};

/** When a workspace that takes nothing new is asked whether it does again; the last pause counts for all that follow. */
export const uploadsWaitPausesMs: Record<UploadsWait, readonly number[]> = {
  read_only: [1, 2, 4, 8, 15].map((minutes) => minutes * 60_000),
  quota: [5 * 60_000],
  file_count: [5 * 60_000],
};

/**
 * Operations whose results become one transaction, and how long the first waits for others. An operation keeps its place
 * among those at once until it is written down: with 20 ms a folder was met at 400 files a second, with a processor that
 * had nothing to do.
 */
export const commitOperationsMax = 64;
export const commitWaitMs = 5;

/** Members of a hold, lines of a list in an answer: beyond it, they are counted only. */
export const listedMax = 1000;
/** Things done that the log keeps. */
export const logRowsMax = 50_000;
