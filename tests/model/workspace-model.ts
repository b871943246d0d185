import { createHash } from 'node:crypto';
import { isCopyPath } from './copy-path.ts';

/** Who acts: what a change record and a version say of it. */
export interface Actor {
  readonly principal: 'agent' | 'human';
  readonly actorId: string;
  readonly actorKeyId: string;
  readonly actorLabel: string;
}

export type Precondition =
  | { readonly kind: 'none' }
  | { readonly kind: 'absent' }
  | ({ readonly kind: 'version' } & Seen);

/** What a caller says that it saw of a file. A hash of null says nothing. */
export interface Seen {
  readonly version: number;
  readonly hash: string | null;
}

/** What the service must answer. `null` for what is not compared. */
export interface Expected {
  readonly status: number;
  /** The whole JSON body; of a refusal only the status is compared. */
  readonly json?: Readonly<Record<string, unknown>>;
  readonly bytes?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Version {
  readonly version: number;
  readonly content: string;
  readonly contentType: string;
  readonly op: 'write' | 'move' | 'conflict' | 'restore';
  readonly actor: Actor;
  readonly movedFrom: string | null;
  /** Of a conflicted copy: the version that its writer had read, if there is one. */
  readonly base?: Version | null;
}

/** One uninterrupted existence of a file at a path, with the one that it was moved from. */
interface Stay {
  readonly path: string;
  readonly versions: Version[];
  /** How many began before it. */
  readonly began: number;
  /** How many changes there were before it. */
  readonly since: number;
  readonly cameFrom: Stay | null;
  /** Of a conflicted copy: what it was made beside. */
  readonly lost: LostRace | null;
}

/** What the record of a conflicted copy says of the file. */
interface LostRace {
  readonly conflictOf: string;
  readonly conflictBase: number | null;
}

/** A file as a list shows it. */
export interface ModelEntry {
  readonly path: string;
  readonly size: number;
  readonly contentType: string;
  readonly version: number;
}

export interface ContentQuery {
  readonly text: string;
  readonly matchCase: boolean;
  readonly prefix: string;
  /** Files up to this path are not looked at. */
  readonly after: string | null;
}

export interface ContentFound {
  readonly files: readonly { readonly path: string; readonly version: number; readonly content: string }[];
  readonly searchedFiles: number;
}

/** A change without what only the server knows: id, seq, time. */
export interface ModelChange {
  readonly record: Readonly<Record<string, unknown>>;
  readonly path: string;
  readonly op: string;
  /** Who alone may see it, and who may not; null for nobody. */
  readonly only: string | null;
  readonly except: string | null;
}

/** That a path was left empty, as a change in its place among all. */
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

/** What an undo comes to at a path: a text, nothing, or that it is left for a reason. */
type Replayed = Version | null | string;

/** What is private: the nearest of these at or above a path decides over it. */
interface PrivacyRecord {
  readonly kind: 'file' | 'folder';
  readonly ownerId: string;
  /** Nobody asked for it: it keeps a file private that came out of a private folder. */
  readonly implied: boolean;
}

const refusal = (status: number): Expected => ({ status });
const types = new Map([
  ['md', 'text/markdown'],
  ['txt', 'text/plain'],
  ['json', 'application/json'],
]);
const guess = (path: string) => types.get(/\.([^./]+)$/.exec(path)?.[1] ?? '') ?? 'application/octet-stream';
/** A guessed type is guessed again for another path. */
const carriedType = (type: string, from: string, to: string) => (type === guess(from) ? guess(to) : type);
const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const isUnder = (prefix: string, path: string) =>
  prefix === '' || path === prefix || path.startsWith(`${prefix}/`);
const isAt = (head: Version, { version, hash }: Seen) =>
  version === head.version && (hash === null || hash === sha256(head.content));
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
/** Of an overlap. */
const cut = (text: string) => (text.length > 2000 ? `${text.slice(0, 2000)}…` : text);
const sizeOf = (content: string) => Buffer.byteLength(content);

export function sha256(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}

/**
 * A workspace as docs/interface describes it, in plain maps: no storage, no time, no network. It shares no code with the
 * service, so that both can only agree by being right.
 */
export class WorkspaceModel {
  readonly changes: ModelChange[] = [];
  readonly #workspaceId: string;
  readonly #stays = new Map<string, Stay[]>();
  readonly #current = new Map<string, Stay>();
  readonly #newestCopy = new Map<string, string>();
  readonly #privacy = new Map<string, PrivacyRecord>();
  #begun = 0;

  constructor(workspaceId: string) {
    this.#workspaceId = workspaceId;
  }

  paths(): readonly string[] {
    return [...this.#current.keys()];
  }

  versionOf(path: string): number | null {
    return this.#head(path)?.version ?? null;
  }

  hashOf(path: string): string | null {
    const head = this.#head(path);
    return head === null ? null : sha256(head.content);
  }

  /** The changes that somebody may see now, oldest first. */
  changesFor(viewer: Actor): readonly ModelChange[] {
    return this.changes.filter(
      ({ path, op, only, except }) =>
        (only === null || only === viewer.actorId) &&
        except !== viewer.actorId &&
        (op === 'access_revoked' || this.#isVisible(path, viewer)),
    );
  }

  setPrivate(actor: Actor, path: string, kind: 'file' | 'folder', isPrivate: boolean): Expected {
    if (!this.#isVisible(path, actor)) return refusal(404);
    if (kind === 'file' && !this.#current.has(path)) return refusal(404);
    if (kind === 'folder' && this.#current.has(path)) return refusal(409);
    const own = this.#privacy.get(path);
    if (isPrivate && (own === undefined || own.implied || own.kind !== kind)) {
      const wasShared = this.#isSharedAtOrBelow(path);
      this.#privacy.set(path, { kind, ownerId: actor.actorId, implied: false });
      for (const [below, record] of kind === 'folder' ? [...this.#privacy] : []) {
        const isCovered = below.startsWith(`${path}/`) && record.ownerId === actor.actorId;
        if (record.implied && isCovered) this.#privacy.delete(below);
      }
      if (wasShared) this.#recordAccess(actor, 'access_revoked', path);
    }
    if (!isPrivate && own === undefined && !this.#seesAtOrBelow(path, actor)) return refusal(404);
    if (!isPrivate && own !== undefined) {
      this.#privacy.delete(path);
      if (this.#isSharedAtOrBelow(path)) this.#recordAccess(actor, 'access_granted', path);
    }
    return { status: 200, json: { ok: true, path, kind, private: isPrivate } };
  }

  get(viewer: Actor, path: string, knownVersion: number | null): Expected {
    const head = this.#head(path);
    if (head === null || !this.#isVisible(path, viewer)) return refusal(404);
    if (head.version === knownVersion) return { status: 304, bytes: '' };
    return readOf(head);
  }

  /** `answeredCopy` is where the service says that it kept losing bytes: the one thing that the model cannot foretell. */
  put(
    actor: Actor,
    write: { path: string; content: string; contentType: string | null; precondition: Precondition },
    answeredCopy: string | null,
    { emptyAllowed = false, refuse = false } = {},
  ): Expected {
    const { path, content, precondition } = write;
    if (!this.#isVisible(path, actor)) return refusal(404);
    if (content === '' && !emptyAllowed) return refusal(400);
    const head = this.#head(path);
    const made = {
      content,
      contentType: write.contentType ?? guess(path),
      op: 'write',
      actor,
      movedFrom: null,
    } as const;
    if (head === null) {
      if (this.#isBlocked(path)) return this.#blocked(path, actor);
      this.#begin(path, { ...made, version: 1 }, null);
      return { status: 201, json: { path, version: 1 } };
    }
    if (precondition.kind === 'none') return refusal(428);
    if (precondition.kind === 'version' && isAt(head, precondition)) {
      const version = head.version + 1;
      this.#append(path, { ...made, version });
      return { status: 200, json: { path, version }, headers: { etag: `"${version}"` } };
    }
    if (content === head.content) return { status: 200, json: { path, version: head.version } };
    if (refuse) return stale(head.version);
    const copy = this.#keepCopy(actor, write, answeredCopy);
    return {
      status: 412,
      json: { error: 'version_conflict', current_version: head.version, conflict_copy_path: copy },
    };
  }

  delete(actor: Actor, path: string, seen: Seen | null): Expected {
    const head = this.#head(path);
    if (head === null || !this.#isVisible(path, actor)) return refusal(404);
    if (seen === null) return refusal(428);
    if (!isAt(head, seen)) return stale(head.version);
    this.#end(path, actor);
    return { status: 204, bytes: '' };
  }

  move(actor: Actor, from: string, to: string, base: Seen | null): Expected {
    const source = this.#current.get(from);
    const head = this.#head(from);
    if (source === undefined || head === null) return refusal(404);
    if (!this.#isVisible(from, actor) || !this.#isVisible(to, actor)) return refusal(404);
    if (base !== null && !isAt(head, base)) return stale(head.version);
    if (this.#current.has(to)) return refusal(409);
    if (this.#isBlocked(to)) return this.#blocked(to, actor);
    const contentType = carriedType(head.contentType, from, to);
    this.#end(from, actor);
    this.#carryPrivacy(from, to);
    this.#begin(to, { ...head, version: 1, contentType, op: 'move', actor, movedFrom: from }, source);
    return { status: 200, json: { path: to, version: 1 } };
  }

  /** `content`: what the version must hold; null to go by its number. */
  restore(actor: Actor, path: string, targetVersion: number, content: string | null): Expected {
    const target = this.#wanted(actor, path, targetVersion, content === null ? null : sha256(content));
    if (target === null || !this.#isVisible(path, actor)) return refusal(404);
    const version = (this.versionOf(path) ?? 0) + 1;
    const contentType = carriedType(target.contentType, target.at, path);
    const { at: _, ...held } = target;
    const made = { ...held, contentType, version, op: 'restore', actor, movedFrom: null } as const;
    if (version > 1) this.#append(path, made);
    else if (this.#isBlocked(path)) return this.#blocked(path, actor);
    else this.#begin(path, made, null);
    return { status: 200, json: { path, version, restoredFrom: targetVersion } };
  }

  /** Takes out all that the caller's key did. Texts of one line are never merged: they overlap. */
  undo(actor: Actor): Expected {
    const { touched, departures } = this.#touchedBy(actor);
    const paths = [...touched].filter((path) => this.#isVisible(path, actor)).sort(byCodePoint);
    const undoAt = (path: string) => this.#undoAt(actor, path, departures.get(path) ?? []);
    const first = paths.map(undoAt).filter((file) => file !== null);
    const files = first.map((file) => (file.reason === 'path_taken' ? (undoAt(file.path) ?? file) : file));
    const count = (outcome: string) => files.filter((file) => file.outcome === outcome).length;
    const outcomes = ['restored', 'merged', 'deleted', 'recreated', 'unchanged', 'left'];
    const totals = Object.fromEntries(outcomes.map((outcome) => [outcome, count(outcome)]));
    return { status: 200, json: { dryRun: false, files, totals, nextPath: null } };
  }

  /** Ends a conflict: one text stays at the file, and the copy is gone. Texts of one line overlap unless one side is the base. */
  resolve(actor: Actor, copyPath: string, keep: 'merge' | 'current' | 'copy'): Expected {
    const race = this.#raceOf(copyPath);
    const copy = this.#head(copyPath);
    if (race === null || copy === null || !this.#isVisible(copyPath, actor)) return refusal(404);
    const { path, base } = race;
    if (!this.#isVisible(path, actor)) return refusal(404);
    const current = this.#head(path);
    if (current === null && keep !== 'copy') return refusal(404);
    let kept = keep === 'current' ? current?.content : copy.content;
    if (keep === 'merge') {
      const found = base === null ? null : this.#wanted(actor, path, base.version, sha256(base.content));
      if (found === null) return { status: 409, json: { ok: false, error: 'no_base' } };
      if (copy.content === found.content) kept = current?.content;
      else if (current?.content !== found.content && current?.content !== copy.content) {
        const texts = {
          base: cut(found.content),
          current: cut(current?.content ?? ''),
          copy: cut(copy.content),
        };
        const hunks = [{ line: 1, ...texts }];
        return { status: 409, json: { ok: false, error: 'lines_overlap', hunks, moreHunks: 0 } };
      }
    }
    const contentType = current?.contentType ?? carriedType(copy.contentType, copyPath, path);
    const version = (current?.version ?? 0) + 1;
    const made = {
      ...copy,
      content: kept ?? '',
      contentType,
      version,
      op: 'write',
      actor,
      movedFrom: null,
    } as const;
    if (current === null && this.#isBlocked(path)) return this.#blocked(path, actor);
    if (current === null) this.#begin(path, made, null);
    else if (kept !== current.content) this.#append(path, made);
    this.#end(copyPath, actor);
    return {
      status: 200,
      json: { ok: true, path, version: this.versionOf(path), merged: keep === 'merge' },
    };
  }

  readVersion(viewer: Actor, path: string, version: number, content: string | null): Expected {
    const found = this.#wanted(viewer, path, version, content === null ? null : sha256(content));
    return found === null || !this.#isVisible(path, viewer) ? refusal(404) : readOf(found);
  }

  /**
   * Newest first: the current incarnation and where it was moved from, then the earlier ones, each version once. What was written
   * at another path says where; what lies behind a path that the viewer does not see is left out.
   */
  versions(viewer: Actor, path: string): Expected {
    const stays = this.#stays.get(path);
    if (stays === undefined || !this.#isVisible(path, viewer)) return refusal(404);
    const shown = new Map<Version, string>();
    for (const stay of stays.toReversed()) {
      for (let part: Stay | null = stay; part !== null; part = part.cameFrom) {
        if (!this.#isVisible(part.path, viewer)) break;
        for (const version of part.versions.toReversed())
          if (!shown.has(version)) shown.set(version, part.path);
      }
    }
    const versions = [...shown].map(
      ([{ content, actor, movedFrom: _, base = null, ...version }, writtenAt]) => ({
        ...version,
        ...(version.op === 'conflict'
          ? {
              conflictBase: base?.version ?? null,
              conflictBaseHash: base === null ? null : sha256(base.content),
            }
          : {}),
        size: sizeOf(content),
        contentHash: sha256(content),
        ...actor,
        ...(writtenAt === path ? {} : { movedFrom: writtenAt }),
      }),
    );
    return { status: 200, json: { versions } };
  }

  /** @param details whether each entry also says what it holds and who made it. */
  list(viewer: Actor, prefix: string, details = false): Expected {
    const privatePaths = [...this.#privacy]
      .filter(([path, { ownerId }]) => ownerId === viewer.actorId && isUnder(prefix, path))
      .map(([path]) => path)
      .sort(byCodePoint);
    const entries = this.entries(viewer, prefix).map((entry) => {
      const head = details ? this.#head(entry.path) : null;
      return head === null ? entry : { ...entry, contentHash: sha256(head.content), ...head.actor };
    });
    return { status: 200, json: { entries, icons: {}, orders: {}, privatePaths, nextCursor: null } };
  }

  /** The files at or under the prefix, in the order in which they are listed. */
  entries(viewer: Actor, prefix: string): readonly ModelEntry[] {
    const paths = this.#visiblePaths(viewer).filter((path) => isUnder(prefix, path));
    return paths.sort(byCodePoint).flatMap((path) => {
      const head = this.#head(path);
      if (head === null) return [];
      const { content, contentType, version } = head;
      return [{ path, size: sizeOf(content), contentType, version }];
    });
  }

  /** History is what was ever written less what stands now; a move writes nothing. */
  usage(): { readonly usedBytes: number; readonly usedFiles: number; readonly historyBytes: number } {
    const sizes = this.paths().map((path) => sizeOf(this.#head(path)?.content ?? ''));
    const versions = [...this.#stays.values()].flat().flatMap((stay) => stay.versions);
    const written = versions.filter(({ op }) => op !== 'move').map(({ content }) => sizeOf(content));
    const sum = (numbers: readonly number[]) => numbers.reduce((total, size) => total + size, 0);
    return { usedBytes: sum(sizes), usedFiles: sizes.length, historyBytes: sum(written) - sum(sizes) };
  }

  /** Every file and folder whose path holds the query's characters in order, as `path` or `path/`. Order is not judged. */
  search(viewer: Actor, query: string): readonly string[] {
    const paths = this.#visiblePaths(viewer);
    const folders = paths.flatMap((path) =>
      [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index)),
    );
    const nodes = [...paths.map((path) => [path, path]), ...folders.map((path) => [path, `${path}/`])];
    const found = nodes.filter(([path = '']) => {
      let at = 0;
      for (const character of path.toLowerCase()) if (character === query[at]) at += 1;
      return at === query.length;
    });
    return [...new Set(found.map(([, shown = '']) => shown))].sort();
  }

  /** Every text is one line. Which characters are shown of a long one is not judged. */
  searchContent(viewer: Actor, query: ContentQuery): ContentFound {
    const { text, matchCase, prefix, after } = query;
    const looked = this.entries(viewer, prefix).filter(
      ({ path }) => after === null || byCodePoint(path, after) > 0,
    );
    const fold = (given: string) => (matchCase ? given : given.toLowerCase());
    const files = looked.flatMap(({ path, version }) => {
      const content = this.#head(path)?.content ?? '';
      return fold(content).includes(fold(text)) ? [{ path, version, content }] : [];
    });
    return { files, searchedFiles: looked.length };
  }

  /** The places of files that a key changed, and how places were left, as far as its person sees it. */
  #touchedBy(actor: Actor) {
    const touched = new Set<string>();
    const departures = new Map<string, Departure[]>();
    const seen = new Set(this.changesFor(actor));
    for (const [at, change] of this.changes.entries()) {
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

  #undoAt(actor: Actor, path: string, departures: readonly Departure[]): UndoneFile | null {
    const { replayed, movedFrom, isOver } = this.#replay(actor, path, departures);
    const head = this.#head(path);
    const at = head === null ? { path } : { path, version: head.version };
    const moved = movedFrom === null ? {} : { movedFrom };
    const left = (reason: string) => ({ ...at, outcome: 'left', reason, ...moved });
    if (typeof replayed === 'string') return left(replayed);
    if (replayed?.content === head?.content) {
      if (movedFrom !== null) return left('moved');
      return isOver ? left('path_taken') : { ...at, outcome: 'unchanged' };
    }
    if (replayed === null) {
      this.#end(path, actor);
      return { ...at, outcome: 'deleted', ...moved };
    }
    const version = (head?.version ?? 0) + 1;
    const { content, contentType } = replayed;
    const made = { version, content, contentType, op: 'restore', actor, movedFrom: null } as const;
    if (head !== null) this.#append(path, made);
    else if (!this.#isBlocked(path)) this.#begin(path, made, null);
    else if (this.#blocked(path, actor).status === 404) return null;
    else return { path, outcome: 'left', reason: 'path_taken' };
    return { path, outcome: head === null ? 'recreated' : 'restored', version, ...moved };
  }

  #replay(actor: Actor, path: string, departures: readonly Departure[]) {
    const isOwn = (by: Actor) => by.actorKeyId === actor.actorKeyId;
    const steps: { readonly after: Version | null; readonly isOwn: boolean }[] = [];
    const walked = new Set<Departure>();
    let start: Version | null = null;
    let movedFrom: string | null = null;
    const before = (at: number): Stay | null => {
      const stay = (this.#stays.get(path) ?? []).findLast(({ since }) => since < at);
      const departure = departures.findLast((departure) => departure.at < at);
      if (stay === undefined || departure === undefined || departure.at <= stay.since) return null;
      if (departure.isMove) return null;
      walked.add(departure);
      steps.unshift({ after: null, isOwn: departure.isOwn });
      return stay;
    };
    let stay = this.#current.get(path) ?? before(Number.POSITIVE_INFINITY);
    while (stay !== null) {
      const at = stay.path;
      const here = stay.versions.map((version) => ({
        after: { ...version, contentType: carriedType(version.contentType, at, path) },
        isOwn: isOwn(version.actor),
      }));
      steps.unshift(...here);
      const source: Stay | null = stay.cameFrom;
      if (source === null) stay = stay.path === path ? before(stay.since) : null;
      else if (!this.#isVisible(source.path, actor)) {
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
      if (!isOwn && typeof without !== 'string') without = carried(without, found, after);
      found = after;
    }
    return {
      // What stands there is no question where nothing of the caller's is in it.
      replayed: steps.some(({ isOwn }) => isOwn) ? without : this.#head(path),
      movedFrom: movedFrom === path ? null : movedFrom,
      isOver: departures.some((departure) => departure.isOwn && !departure.isMove && !walked.has(departure)),
    };
  }

  #keepCopy(
    actor: Actor,
    write: { path: string; content: string; contentType: string | null; precondition: Precondition },
    answered: string | null,
  ): string {
    const newest = this.#newestCopy.get(write.path);
    const ownerId = this.#ownerOf(write.path);
    const isSame = newest !== undefined && this.#head(newest)?.content === write.content;
    if (isSame && this.#ownerOf(newest) === ownerId) return newest;
    const taken = (path: string) => {
      const leftover = this.#privacy.get(path);
      const isAnothers = leftover !== undefined && leftover.ownerId !== ownerId;
      return this.#current.has(path) || this.#isBlocked(path) || isAnothers;
    };
    if (answered === null || !isCopyPath(answered, write.path, actor.actorLabel, taken)) {
      return `a free name beside ${write.path}`;
    }
    const contentType = write.contentType ?? guess(answered);
    const made = {
      version: 1,
      content: write.content,
      contentType,
      op: 'conflict',
      actor,
      movedFrom: null,
      base: this.#baseOf(actor, write),
    } as const;
    if (ownerId !== null && this.#ownerOf(answered) !== ownerId) {
      this.#privacy.set(answered, { kind: 'file', ownerId, implied: false });
    }
    const lost = { conflictOf: write.path, conflictBase: made.base?.version ?? null };
    this.#begin(answered, made, null, lost);
    this.#newestCopy.set(write.path, answered);
    return answered;
  }

  /** The file that a copy belongs to: under its old name, beside it, while it has its own name. */
  #raceOf(path: string): { readonly path: string; readonly base: Version | null } | null {
    let stay = this.#current.get(path);
    while (stay !== undefined && stay.cameFrom !== null) stay = stay.cameFrom;
    if (stay === undefined || stay.lost === null || nameOf(stay.path) !== nameOf(path)) return null;
    const folder = path.slice(0, path.length - nameOf(path).length);
    return { path: folder + nameOf(stay.lost.conflictOf), base: stay.versions[0]?.base ?? null };
  }

  /** The version that the writer had read, if there is one. */
  #baseOf(
    viewer: Actor,
    { path, precondition }: { path: string; precondition: Precondition },
  ): Version | null {
    if (precondition.kind !== 'version') return null;
    const { version, hash } = precondition;
    return this.#wanted(viewer, path, version, hash);
  }

  /** Where the path lies in something private, whose. */
  #ownerOf(path: string): string | null {
    return this.#decidingRecord(path)?.[1].ownerId ?? null;
  }

  #decidingRecord(path: string): readonly [string, PrivacyRecord] | null {
    const above = [...this.#privacy].filter(([at]) => at === path || path.startsWith(`${at}/`));
    return above.sort(([a], [b]) => b.length - a.length)[0] ?? null;
  }

  #isVisible(path: string, viewer: Actor): boolean {
    const ownerId = this.#ownerOf(path);
    return ownerId === null || ownerId === viewer.actorId;
  }

  #visiblePaths(viewer: Actor): string[] {
    return this.paths().filter((path) => this.#isVisible(path, viewer));
  }

  #seesAtOrBelow(path: string, viewer: Actor): boolean {
    return this.paths().some(
      (at) => (at === path || at.startsWith(`${path}/`)) && this.#isVisible(at, viewer),
    );
  }

  #isSharedAtOrBelow(path: string): boolean {
    return this.paths().some(
      (at) => (at === path || at.startsWith(`${path}/`)) && this.#ownerOf(at) === null,
    );
  }

  /** A moved file stays as private as it was; nothing that was private is seen on the way. */
  #carryPrivacy(from: string, to: string): void {
    const [at, record] = this.#decidingRecord(from) ?? [null, null];
    if (record === null) return;
    if (at === from) this.#privacy.delete(from);
    if (at === from && !record.implied) this.#privacy.set(to, record);
    else if (this.#ownerOf(to) !== record.ownerId) {
      this.#privacy.set(to, { kind: 'file', ownerId: record.ownerId, implied: true });
    }
  }

  /** What stands in the way of a file is named only to those who see it. */
  #blocked(path: string, actor: Actor): Expected {
    const obstacles = this.paths().filter(
      (other) => other.startsWith(`${path}/`) || path.startsWith(`${other}/`),
    );
    return refusal(obstacles.some((other) => this.#isVisible(other, actor)) ? 409 : 404);
  }

  #head(path: string): Version | null {
    return this.#current.get(path)?.versions.at(-1) ?? null;
  }

  /** By number the newest stay at the path counts; by number and content any that the list of versions shows. */
  #wanted(viewer: Actor, path: string, number: number, hash: string | null) {
    const here = (this.#stays.get(path) ?? []).toReversed();
    const stays = hash === null ? here : this.#reached(viewer, here);
    for (const { path: at, versions } of stays) {
      const version = versions[number - 1];
      if (version !== undefined && (hash === null || sha256(version.content) === hash))
        return { ...version, at };
    }
    return null;
  }

  /** These stays and those that they were moved from, as far back as the viewer sees, newest first. */
  #reached(viewer: Actor, stays: readonly Stay[]): readonly Stay[] {
    const reached = new Set<Stay>();
    for (const stay of stays) {
      for (let part: Stay | null = stay; part !== null; part = part.cameFrom) {
        if (!this.#isVisible(part.path, viewer)) break;
        reached.add(part);
      }
    }
    return [...reached].sort((a, b) => b.began - a.began);
  }

  #isBlocked(path: string): boolean {
    return this.paths().some((other) => other.startsWith(`${path}/`) || path.startsWith(`${other}/`));
  }

  #begin(path: string, version: Version, cameFrom: Stay | null, lost?: LostRace): void {
    const since = this.changes.length;
    const stay = { path, versions: [version], began: this.#begun, since, cameFrom, lost: lost ?? null };
    this.#begun += 1;
    this.#current.set(path, stay);
    this.#stays.set(path, [...(this.#stays.get(path) ?? []), stay]);
    this.#record(path, version, lost);
  }

  #append(path: string, version: Version): void {
    this.#current.get(path)?.versions.push(version);
    this.#record(path, version);
  }

  #end(path: string, actor: Actor): void {
    const version = this.versionOf(path);
    this.#current.delete(path);
    this.#tell({ path, op: 'delete', version, contentHash: null, ...actor });
  }

  #recordAccess(actor: Actor, op: 'access_revoked' | 'access_granted', path: string): void {
    const record = { workspaceId: this.#workspaceId, path, op, version: null, contentHash: null, ...actor };
    this.changes.push({ record, path, op, only: null, except: actor.actorId });
  }

  /** To all who see the path at this moment. */
  #tell(fields: { readonly path: string; readonly op: string; readonly [field: string]: unknown }): void {
    const { path, op } = fields;
    const record = { workspaceId: this.#workspaceId, ...fields };
    this.changes.push({ record, path, op, only: this.#ownerOf(path), except: null });
  }

  #record(path: string, { op, version, content, movedFrom, actor }: Version, lost?: LostRace): void {
    this.#tell({
      path,
      op,
      version,
      contentHash: op === 'conflict' ? null : sha256(content),
      ...actor,
      ...(movedFrom === null ? {} : { movedFrom }),
      ...lost,
    });
  }
}

function stale(currentVersion: number): Expected {
  return { status: 412, json: { error: 'version_conflict', current_version: currentVersion } };
}

/** What a change of others comes to where the caller's were left out. */
function carried(without: Version | null, before: Version | null, after: Version | null): Replayed {
  const [mine, found, made] = [without?.content, before?.content, after?.content];
  if (mine === found || mine === made) return after;
  if (found === made) return without;
  if (found === undefined) return 'path_taken';
  if (made === undefined) return null;
  return mine === undefined ? 'changed_by_others' : 'lines_overlap';
}

function readOf(version: Version): Expected {
  return {
    status: 200,
    bytes: version.content,
    headers: {
      etag: `"${version.version}"`,
      'x-service-version': String(version.version),
      'x-service-content-hash': sha256(version.content),
      'content-type': version.contentType,
    },
  };
}
