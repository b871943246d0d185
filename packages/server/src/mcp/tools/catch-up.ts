import { extendedTools, readSince, type Since } from '@stoa/contract';
import { parsePathPrefix } from '@stoa/core';
import { type CatchUpQuery, type CaughtUp, catchUp, changesMax } from '../../service/feed/catch-up.ts';
import type { Doing, FoldedFile } from '../../service/feed/fold-changes.ts';
import { changedLinesOf, type LookedAt, lookAtFolded } from '../../service/feed/look-at-folded.ts';
import { openThreadsWithin } from '../../service/feed/open-threads.ts';
import { actorNames } from '../actor-names.ts';
import { answerMax } from '../answer-size.ts';
import { workspaceTool } from '../tool.ts';

const linesMax = 200;
const diffMax = { lines: 20, lineCharacters: 300 } as const;
const dayMs = 24 * 3_600_000;
const legend = '~ changed, + new, > moved, - deleted, ! conflicted copy, " comments.';

export const catchUpTool = workspaceTool(extendedTools.catchUp, async ({ deps, access, input, signal }) => {
  const { service } = deps;
  const now = service.clock();
  const prefix = parsePathPrefix(input.path ?? '');
  const query = { since: sinceOf(input.since, now), prefix, waitSeconds: input.wait, signal };
  const caught = await catchUp(service, access, query);
  const { start, head, files } = caught;
  const nameOf = actorNames(deps);
  const who = async (doing: Doing) => `${await nameOf(doing)} ${timeOf(doing.at, now)}`;
  const linesOf = async (file: FoldedFile): Promise<readonly string[] | null> => {
    const looked = await lookAtFolded(service, access, file);
    if (looked === null) return null;
    const lines = await linesAbout(file, looked, who);
    const isCompared = input.diff && looked.file !== null && file.last !== null;
    if (!isCompared || looked.file === null) return lines;
    const changed = await changedLinesOf(service, access, file, looked.file, diffMax);
    const [first = '', ...comments] = lines;
    if (changed === null) return [first, '  (not compared: read_lines shows it)', ...comments];
    const more = changed.more === 0 ? [] : [`  … ${changed.more} more changed lines`];
    return [first, ...changed.lines.map((line) => `  ${line}`), ...more, ...comments];
  };
  const page = await fitting(files, linesOf);
  const since = `${sinceText(start)}${caught.isShortened ? ` (the latest ${changesMax} changes alone)` : ''}`;
  if (page.shown === 0 && page.left === 0) {
    return { text: `Nothing by others since ${since} (cursor ${head}). ${await openText()}` };
  }
  const count = page.shown + page.left;
  const { actor, workspace } = access;
  const you = actor.keyLabel === null ? actor.userName : `${actor.keyLabel}, for ${actor.userName}`;
  return {
    text: [
      `${count} ${count === 1 ? 'file' : 'files'} changed by others since ${since}, now cursor ${head}. ${legend} You are ${you}, in ${workspace.name}.`,
      ...page.lines,
      ...(page.left === 0
        ? []
        : [`${page.left} more ${page.left === 1 ? 'file' : 'files'}: narrow path, or since ${page.seq}.`]),
    ].join('\n'),
  };

  async function openText(): Promise<string> {
    const { threads, files: inFiles, isAll } = await openThreadsWithin(service, access, prefix);
    if (threads === 0) return 'No open threads.';
    const open = `${isAll ? '' : 'At least '}${threads} open ${threads === 1 ? 'thread' : 'threads'}`;
    return `${open} in ${inFiles} ${inFiles === 1 ? 'file' : 'files'}.`;
  }
});

function sinceOf(text: string | undefined, now: number): CatchUpQuery['since'] {
  const since: Since | null = text === undefined ? null : readSince(text);
  if (since === null) return null;
  return 'agoMs' in since ? { time: now - since.agoMs } : since;
}

/** A line about the file, unless others only commented on it, and one about new comments. */
async function linesAbout(
  { path, origin, kind, last, comments }: FoldedFile,
  { file, openThreads, conflictOf }: LookedAt,
  who: (doing: Doing) => Promise<string>,
): Promise<readonly string[]> {
  const lines: string[] = [];
  if (last !== null) {
    const version = file === null ? '' : ` v${file.version}`;
    const what: Readonly<Record<FoldedFile['kind'], string>> = {
      changed: `~ ${path}${version}`,
      new: `+ ${path}${version}`,
      moved: `> ${path}${version} moved from ${origin}`,
      deleted: `- ${path} deleted`,
      conflict: `! ${path}${conflictOf === null ? '' : ` of ${conflictOf}`}`,
      shared: file === null ? `+ ${path}/ shared` : `+ ${path}${version} shared`,
    };
    lines.push(`${what[kind]}, ${await who(last)}`);
  }
  if (comments !== null && file !== null) {
    const facts = `${comments.count} new, ${openThreads} open`;
    lines.push(`" ${path} v${file.version}: ${facts}, ${await who(comments.last)}`);
  }
  return lines;
}

/** As many files as an answer can show whole. */
async function fitting(
  files: CaughtUp['files'],
  linesOf: (file: FoldedFile) => Promise<readonly string[] | null>,
) {
  const { maxCharacters, maxBytes } = answerMax;
  const lines: string[] = [];
  let shown = 0;
  let characters = 0;
  let bytes = 0;
  let seq = 0;
  for (const [index, file] of files.entries()) {
    const full = { lines, shown, left: files.length - index, seq };
    if (lines.length >= linesMax) return full;
    const more = await linesOf(file);
    if (more !== null && more.length > 0) {
      const text = more.join('\n');
      characters += text.length + 1;
      bytes += Buffer.byteLength(text) + 1;
      if (lines.length + more.length > linesMax || characters > maxCharacters || bytes > maxBytes)
        return full;
      lines.push(...more);
      shown += 1;
    }
    seq = file.seq;
  }
  return { lines, shown, left: 0, seq };
}

function sinceText({ seq, at }: CaughtUp['start']): string {
  return at === null ? `cursor ${seq}` : minuteOf(at);
}

/** The time of day alone says it within a day. */
function timeOf(at: number, now: number): string {
  return now - at < dayMs ? minuteOf(at).slice(11) : minuteOf(at);
}

/** In UTC. */
function minuteOf(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}
