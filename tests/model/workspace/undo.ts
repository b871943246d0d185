import type { Actor, Stay, Version } from './facts.ts';
import type { Holdings } from './holdings.ts';
import { byCodePoint, transferredType } from './paths.ts';
import type { Expected } from './responses.ts';

/** The end of a file at a path, by its position among all changes. */
interface Departure {
  readonly at: number;
  readonly isOwn: boolean;
  readonly wasTouched: boolean;
  isMove: boolean;
}

interface UndoneFile {
  readonly path: string;
  readonly outcome: string;
  readonly version?: number;
  readonly reason?: string;
  readonly movedFrom?: string;
}

/** The result of an undo at a path: a text, no file, or the reason why it is left. */
type Replayed = Version | null | string;

/** Removes all changes of the caller's key. Texts of one line never merge: they overlap. */
export function undo(held: Holdings, actor: Actor): Expected {
  const { touched, departures } = touchedBy(held, actor);
  const paths = [...touched].filter((path) => held.privacy.isVisible(path, actor)).sort(byCodePoint);
  const undone = (path: string) => undoAt(held, actor, path, departures.get(path) ?? []);
  const first = paths.map(undone).filter((file) => file !== null);
  const files = first.map((file) => (file.reason === 'path_taken' ? (undone(file.path) ?? file) : file));
  const count = (outcome: string) => files.filter((file) => file.outcome === outcome).length;
  const outcomes = ['restored', 'merged', 'deleted', 'recreated', 'unchanged', 'left'];
  const totals = Object.fromEntries(outcomes.map((outcome) => [outcome, count(outcome)]));
  return { status: 200, json: { dryRun: false, files, totals, nextPath: null } };
}

/**
 * The paths of files that a key changed, and the ends of files at these paths, as far as its person sees them.
 */
function touchedBy(held: Holdings, actor: Actor) {
  const touched = new Set<string>();
  const departures = new Map<string, Departure[]>();
  const seen = new Set(held.changesFor(actor));
  for (const [at, change] of held.changes.entries()) {
    if (!seen.has(change) || change.op.startsWith('access')) continue;
    const { path, op, record } = change;
    const isOwn = record.actorKeyId === actor.actorKeyId;
    if (op === 'delete') {
      const departure = { at, isOwn, wasTouched: touched.has(path), isMove: false };
      departures.set(path, [...(departures.get(path) ?? []), departure]);
    }
    const from = op === 'move' ? String(record.movedFrom) : '';
    const earlier = departures.get(from) ?? [];
    const left = earlier.at(-1);
    if (op === 'move' && left?.at === at - 1) {
      left.isMove = true;
      if (!earlier.some((departure) => departure.isOwn && !departure.isMove)) touched.delete(from);
      if (left.wasTouched) touched.add(path);
    }
    if (isOwn) touched.add(path);
  }
  return { touched, departures };
}

function undoAt(
  held: Holdings,
  actor: Actor,
  path: string,
  departures: readonly Departure[],
): UndoneFile | null {
  const { replayed, movedFrom, isOver } = replay(held, actor, path, departures);
  const head = held.head(path);
  const at = head === null ? { path } : { path, version: head.version };
  const moved = movedFrom === null ? {} : { movedFrom };
  const left = (reason: string) => ({ ...at, outcome: 'left', reason, ...moved });
  if (typeof replayed === 'string') return left(replayed);
  if (replayed?.content === head?.content) {
    if (movedFrom !== null) return left('moved');
    return isOver ? left('path_taken') : { ...at, outcome: 'unchanged' };
  }
  if (replayed === null) {
    held.end(path, actor);
    return { ...at, outcome: 'deleted', ...moved };
  }
  const version = (head?.version ?? 0) + 1;
  const { content, contentType } = replayed;
  const made = { version, content, contentType, op: 'restore', actor, movedFrom: null } as const;
  if (head !== null) held.append(path, made);
  else if (!held.isBlocked(path)) held.begin(path, made, null);
  else if (held.blocked(path, actor).status === 404) return null;
  else return { path, outcome: 'left', reason: 'path_taken' };
  return { path, outcome: head === null ? 'recreated' : 'restored', version, ...moved };
}

function replay(held: Holdings, actor: Actor, path: string, departures: readonly Departure[]) {
  const isOwn = (by: Actor) => by.actorKeyId === actor.actorKeyId;
  const steps: { readonly after: Version | null; readonly isOwn: boolean }[] = [];
  const walked = new Set<Departure>();
  let start: Version | null = null;
  let movedFrom: string | null = null;
  const before = (at: number): Stay | null => {
    const stay = (held.stays.get(path) ?? []).findLast(({ since }) => since < at);
    const departure = departures.findLast((departure) => departure.at < at);
    if (stay === undefined || departure === undefined || departure.at <= stay.since) return null;
    if (departure.isMove) return null;
    walked.add(departure);
    steps.unshift({ after: null, isOwn: departure.isOwn });
    return stay;
  };
  let stay = held.current.get(path) ?? before(Number.POSITIVE_INFINITY);
  while (stay !== null) {
    const at = stay.path;
    const here = stay.versions.map((version) => ({
      after: { ...version, contentType: transferredType(version.contentType, at, path) },
      isOwn: isOwn(version.actor),
    }));
    steps.unshift(...here);
    const source: Stay | null = stay.cameFrom;
    if (source === null) stay = stay.path === path ? before(stay.since) : null;
    else if (!held.privacy.isVisible(source.path, actor)) {
      start = here[0]?.after ?? null;
      break;
    } else {
      if (here[0]?.isOwn === true) movedFrom = source.path;
      stay = source;
    }
  }
  let without: Replayed = start;
  let found = start;
  for (const { after, isOwn } of steps) {
    if (!isOwn && typeof without !== 'string') without = transferred(without, found, after);
    found = after;
  }
  return {
    // A file without the caller's changes keeps its current text.
    replayed: steps.some(({ isOwn }) => isOwn) ? without : held.head(path),
    movedFrom: movedFrom === path ? null : movedFrom,
    isOver: departures.some((departure) => departure.isOwn && !departure.isMove && !walked.has(departure)),
  };
}

/** The result of a change by others when the caller's changes are omitted. */
function transferred(without: Version | null, before: Version | null, after: Version | null): Replayed {
  const [mine, found, made] = [without?.content, before?.content, after?.content];
  if (mine === found || mine === made) return after;
  if (found === made) return without;
  if (found === undefined) return 'path_taken';
  if (made === undefined) return null;
  return mine === undefined ? 'changed_by_others' : 'lines_overlap';
}
