import { extendedTools, readSince, type Since } from '@stoa/contract';
import { parsePathPrefix, parseWorkspacePath } from '@stoa/core';
import { type CatchUpQuery, type CaughtUp, catchUp, recordShown } from '../../service/feed/catch-up.ts';
import type { Author, FoldedFile, Operation } from '../../service/feed/fold-changes.ts';
import { changedLinesOf, type LookedAt, lookAtFolded } from '../../service/feed/look-at-folded.ts';
import { openThreadsWithin } from '../../service/feed/open-threads.ts';
import { actorNames } from '../../service/people/actor-names.ts';
import { bulkText, filesIn, firstSeqOf, type Unit, unitsOf } from '../bulk-changes.ts';
import { emptyScopeText } from '../missing-path.ts';
import { reachNotes } from '../reach-text.ts';
import { responseMax } from '../response-size.ts';
import { workspaceTool } from '../tool.ts';

const linesMax = 200;
/** Maximum number of authors in one line; the most recent ones are shown. */
const authorsMax = 30;
const diffMax = { lines: 20, lineCharacters: 300 } as const;
const dayMs = 24 * 3_600_000;
const legend = '~ changed, + new, > moved, - deleted, ! conflicted copy, " comments.';

/** Formats author and time, with the action in between. */
type Who = (operation: Operation, did?: string) => Promise<string>;

export const catchUpTool = workspaceTool(
  extendedTools.catchUp,
  async ({ deps, access, input, restores, signal, whileWaiting }) => {
    const { service } = deps;
    const now = service.clock();
    const prefix = parsePathPrefix(input.path ?? '');
    const query = { since: sinceOf(input.since, now), prefix, waitSeconds: input.wait, signal, whileWaiting };
    const caught = await catchUp(service, access, query);
    const nameOf = actorNames(deps.service.store.reader.users);
    const who: Who = async (operation, did = '') =>
      `${await nameOf(operation)}${did} ${timeOf(operation.at, now)}`;
    const linesOf = async (unit: Unit): Promise<readonly string[] | null> => {
      if (unit.kind === 'bulk') return [`${bulkText(unit)}, ${await authorsText(unit.last.authors, who)}`];
      const { file } = unit;
      const looked = await lookAtFolded(service, access, file);
      if (looked === null) return null;
      const lines = await linesAbout(file, looked, who);
      const isCompared = input.diff && looked.file !== null && file.authors.length > 0;
      if (!isCompared || looked.file === null) return lines;
      const changed = await changedLinesOf(service, access, file, looked.file, diffMax);
      const [first = '', ...comments] = lines;
      if (changed === null) return [first, '  (not compared: read_lines shows it)', ...comments];
      const more = changed.more === 0 ? [] : [`  … ${changed.more} more changed lines`];
      return [first, ...changed.lines.map((line) => `  ${line}`), ...more, ...comments];
    };
    const units = input.diff
      ? caught.files.map((file): Unit => ({ kind: 'file', file }))
      : unitsOf(caught.files, prefix);
    const page = await fitting(units, linesOf);
    const cursor = page.left === 0 ? caught.endSeq : page.toSeq;
    await recordShown(service, access, query, caught, cursor);
    const text = {
      since: sinceText(caught.start),
      notes: [...notesOn(caught, input.wait > 0), ...(await reachNotes(service, access))],
      more: caught.isCut || page.left > 0 ? [moreText(page.left, cursor)] : [],
    };
    if (page.shown === 0 && page.left === 0) {
      const rest = [...(caught.isCut ? text.more : [await openText()]), ...text.notes];
      const path = prefix === '' ? null : parseWorkspacePath(prefix);
      const scope =
        path === null ? null : await emptyScopeText(deps, access, { path, restores, wants: 'any' });
      if (scope !== null) rest.push(scope);
      return { text: [`Nothing by others since ${text.since} (cursor ${cursor}).`, ...rest].join(' ') };
    }
    const count = page.shown + page.left;
    const { actor, workspace } = access;
    const you = actor.keyLabel === null ? actor.userName : `${actor.keyLabel}, for ${actor.userName}`;
    const facts = [
      `${count} ${count === 1 ? 'file' : 'files'} changed by others since ${text.since}, now cursor ${cursor}.`,
      legend,
      `You are ${you}, in ${workspace.name}.`,
      ...text.notes,
    ];
    return { text: [facts.join(' '), ...page.lines, ...text.more].join('\n') };

    async function openText(): Promise<string> {
      const { threads, files: inFiles, isAll } = await openThreadsWithin(service, access, prefix);
      if (threads === 0) return 'No open threads.';
      const open = `${isAll ? '' : 'At least '}${threads} open ${threads === 1 ? 'thread' : 'threads'}`;
      return `${open} in ${inFiles} ${inFiles === 1 ? 'file' : 'files'}.`;
    }
  },
);

/** Notes on the response before this one. */
function notesOn(
  { start, repeatedSeq, unconfirmedSeq, files }: CaughtUp,
  hasWaited: boolean,
): readonly string[] {
  const isRepeat = repeatedSeq > start.seq && files.some(({ firstSeq }) => firstSeq <= repeatedSeq);
  const isNew = files.some(({ lastSeq }) => lastSeq > repeatedSeq);
  return [
    ...(isRepeat && isNew ? [`Up to cursor ${repeatedSeq} this repeats the last response.`] : []),
    ...(isRepeat && !isNew && hasWaited ? ['Nothing new: this repeats the last response.'] : []),
    ...(unconfirmedSeq === null
      ? []
      : [
          `Cursor ${unconfirmedSeq} to ${start.seq} was not confirmed: if you missed it, pass since ${unconfirmedSeq}.`,
        ]),
  ];
}

function moreText(left: number, cursor: number): string {
  const files = left === 1 ? 'file' : 'files';
  return left === 0
    ? `More changes: since ${cursor}.`
    : `${left} more ${files}: narrow path, or since ${cursor}.`;
}

function sinceOf(text: string | undefined, now: number): CatchUpQuery['since'] {
  const since: Since | null = text === undefined ? null : readSince(text);
  if (since === null) return null;
  return 'agoMs' in since ? { time: now - since.agoMs } : since;
}

/** A line about the file, unless others only commented on it, and one about new comments. */
async function linesAbout(
  { path, origin, kind, authors, comments }: FoldedFile,
  { file, openThreads, conflictOf }: LookedAt,
  who: Who,
): Promise<readonly string[]> {
  const lines: string[] = [];
  if (authors.length > 0) {
    const version = file === null ? '' : ` v${file.version}`;
    const what: Readonly<Record<FoldedFile['kind'], string>> = {
      changed: `~ ${path}${version}`,
      new: `+ ${path}${version}`,
      moved: `> ${path}${version} moved from ${origin}`,
      deleted: `- ${path} deleted`,
      conflict: `! ${path}${conflictOf === null ? '' : ` of ${conflictOf}`}`,
      shared: file === null ? `+ ${path}/ shared` : `+ ${path}${version} shared`,
      hidden: `x ${path} made private: you no longer see it`,
    };
    lines.push(`${what[kind]}, ${await authorsText(authors, who)}`);
  }
  if (comments !== null && file !== null) {
    const facts = `${comments.count} new, ${openThreads} open`;
    const by = await namesOf(comments.authors, who);
    lines.push(`" ${path} v${file.version}: ${facts}, ${by}`);
  }
  return lines;
}

/** A single author did what the line says; several authors each get their own actions. */
function authorsText(authors: readonly Author[], who: Who): Promise<string> {
  return namesOf(authors, (author) => who(author, authors.length === 1 ? '' : didText(author)));
}

function didText({ versions, acts }: Author): string {
  const did: string[] = [...acts];
  if (versions !== null) {
    const { first, last } = versions;
    did.push(first === last ? `v${last}` : `v${first}-v${last}`);
  }
  return did.map((each) => ` ${each}`).join('');
}

async function namesOf<Each extends Operation>(
  authors: readonly Each[],
  nameOf: (author: Each) => Promise<string>,
): Promise<string> {
  const names: string[] = [];
  for (const author of authors.slice(-authorsMax)) names.push(await nameOf(author));
  const others = authors.length - names.length;
  return [...(others === 0 ? [] : [`${others} others`]), ...names].join(', ');
}

/** As many units as fit in a response. */
async function fitting(units: readonly Unit[], linesOf: (unit: Unit) => Promise<readonly string[] | null>) {
  const { maxCharacters, maxBytes } = responseMax;
  const lines: string[] = [];
  const all = units.reduce((sum, unit) => sum + filesIn(unit), 0);
  let passed = 0;
  let shown = 0;
  let characters = 0;
  let bytes = 0;
  for (const unit of units) {
    const more = lines.length >= linesMax ? null : await linesOf(unit);
    const text = more === null ? '' : more.join('\n');
    characters += text.length + 1;
    bytes += Buffer.byteLength(text) + 1;
    const isFull = lines.length >= linesMax || lines.length + (more?.length ?? 0) > linesMax;
    // Shows everything before the first change of others to this unit.
    if (isFull || characters > maxCharacters || bytes > maxBytes)
      return { lines, shown, left: all - passed, toSeq: firstSeqOf(unit) - 1 };
    passed += filesIn(unit);
    if (more === null) continue;
    lines.push(...more);
    shown += filesIn(unit);
  }
  return { lines, shown, left: 0, toSeq: 0 };
}

function sinceText({ seq, at }: CaughtUp['start']): string {
  return at === null ? `cursor ${seq}` : minuteOf(at);
}

/** Within a day, only the time of day. */
function timeOf(at: number, now: number): string {
  return now - at < dayMs ? minuteOf(at).slice(11) : minuteOf(at);
}

/** In UTC. */
function minuteOf(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}
