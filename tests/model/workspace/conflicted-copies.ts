import { isCopyPath } from '../copy-path.ts';
import { type Actor, type Precondition, type Stay, sha256, type Version } from './facts.ts';
import type { Holdings } from './holdings.ts';
import { guess, nameOf, transferredType } from './paths.ts';
import { type Expected, error } from './responses.ts';

/** A write by a caller. */
export interface Write {
  readonly path: string;
  readonly content: string;
  readonly contentType: string | null;
  readonly precondition: Precondition;
}

/** Cuts a text of an overlap. */
const cut = (text: string) => (text.length > 2000 ? `${text.slice(0, 2000)}…` : text);

/** The paths of conflicted copies, and the resolution of conflicts. */
export class ConflictedCopies {
  readonly #held: Holdings;

  constructor(held: Holdings) {
    this.#held = held;
  }

  keep(actor: Actor, write: Write, responded: string | null): string {
    const newest = this.#newestOf(write.path);
    const ownerId = this.#held.privacy.ownerOf(write.path);
    const isSame = newest?.versions.at(-1)?.content === write.content;
    if (newest !== null && isSame && this.#held.privacy.ownerOf(newest.path) === ownerId) return newest.path;
    const taken = (path: string) => {
      const leftover = this.#held.privacy.records.get(path);
      const isAnothers = leftover !== undefined && leftover.ownerId !== ownerId;
      return this.#held.current.has(path) || this.#held.isBlocked(path) || isAnothers;
    };
    if (responded === null || !isCopyPath(responded, write.path, actor.actorLabel, taken)) {
      return `a free name next to ${write.path}`;
    }
    const contentType = write.contentType ?? guess(responded);
    const made = {
      version: 1,
      content: write.content,
      contentType,
      op: 'conflict',
      actor,
      movedFrom: null,
      base: this.#baseOf(actor, write),
    } as const;
    if (ownerId !== null && this.#held.privacy.ownerOf(responded) !== ownerId) {
      this.#held.privacy.records.set(responded, { kind: 'file', ownerId, implied: false });
    }
    const lost = { conflictOf: write.path, conflictBase: made.base?.version ?? null };
    this.#held.begin(responded, made, null, lost);
    return responded;
  }

  /**
   * Resolves a conflict: the file keeps one text, and the copy is deleted. Texts of one line overlap unless one
   * side equals the base.
   */
  resolve(actor: Actor, copyPath: string, keep: 'merge' | 'current' | 'copy'): Expected {
    const race = this.#raceOf(copyPath);
    const copy = this.#held.head(copyPath);
    if (race === null || copy === null || !this.#held.privacy.isVisible(copyPath, actor)) return error(404);
    const { path, base } = race;
    if (!this.#held.privacy.isVisible(path, actor)) return error(404);
    const current = this.#held.head(path);
    if (current === null && keep !== 'copy') return error(404);
    let kept = keep === 'current' ? current?.content : copy.content;
    if (keep === 'merge') {
      const found = base === null ? null : this.#held.wanted(actor, path, base.version, sha256(base.content));
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
    const contentType = current?.contentType ?? transferredType(copy.contentType, copyPath, path);
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
    if (current === null && this.#held.isBlocked(path)) return this.#held.blocked(path, actor);
    if (current === null) this.#held.begin(path, made, null);
    else if (kept !== current.content) this.#held.append(path, made);
    this.#held.end(copyPath, actor);
    return {
      status: 200,
      json: { ok: true, path, version: this.#held.versionOf(path), merged: keep === 'merge' },
    };
  }

  /** Only current copies count. A copy that was restored or moved is an ordinary file. */
  #newestOf(path: string): Stay | null {
    const copies = [...this.#held.current.values()].filter(({ lost }) => lost?.conflictOf === path);
    return copies.reduce<Stay | null>(
      (newest, copy) => (newest === null || copy.began > newest.began ? copy : newest),
      null,
    );
  }

  /**
   * The file that a copy belongs to: its original name in the copy's folder, while the copy has its own name.
   */
  #raceOf(path: string): { readonly path: string; readonly base: Version | null } | null {
    let stay = this.#held.current.get(path);
    while (stay !== undefined && stay.cameFrom !== null) stay = stay.cameFrom;
    if (stay === undefined || stay.lost === null || nameOf(stay.path) !== nameOf(path)) return null;
    const folder = path.slice(0, path.length - nameOf(path).length);
    return { path: folder + nameOf(stay.lost.conflictOf), base: stay.versions[0]?.base ?? null };
  }

  /** The version that the writer had read, if there is one. */
  #baseOf(viewer: Actor, { path, precondition }: Write): Version | null {
    if (precondition.kind !== 'version') return null;
    const { version, hash } = precondition;
    return this.#held.wanted(viewer, path, version, hash, { isSeen: false });
  }
}
