import { type Actor, type LostRace, type ModelChange, type Stay, sha256, type Version } from './facts.ts';
import { Privacy } from './privacy.ts';
import { type Expected, error } from './responses.ts';

/** The current and earlier files of a workspace, with the change of each step. */
export class Holdings {
  readonly privacy = new Privacy();
  readonly changes: ModelChange[] = [];
  /** By path, oldest first. */
  readonly stays = new Map<string, Stay[]>();
  readonly current = new Map<string, Stay>();
  readonly #workspaceId: string;
  #begun = 0;

  constructor(workspaceId: string) {
    this.#workspaceId = workspaceId;
  }

  paths(): readonly string[] {
    return [...this.current.keys()];
  }

  visiblePaths(viewer: Actor): string[] {
    return this.paths().filter((path) => this.privacy.isVisible(path, viewer));
  }

  head(path: string): Version | null {
    return this.current.get(path)?.versions.at(-1) ?? null;
  }

  versionOf(path: string): number | null {
    return this.head(path)?.version ?? null;
  }

  /** The changes that the viewer may see now, oldest first. */
  changesFor(viewer: Actor): readonly ModelChange[] {
    return this.changes.filter(
      ({ path, op, only, except }) =>
        (only === null || only === viewer.actorId) &&
        except !== viewer.actorId &&
        (op === 'access_revoked' || this.privacy.isVisible(path, viewer)),
    );
  }

  /**
   * Finds the current path of the last file that was moved away from this path, as far as the viewer may know.
   * @returns null when it was deleted, or when no file was moved
   */
  movedTo(path: string, viewer: Actor): string | null {
    const seen = new Set(this.changesFor(viewer));
    let left = this.changes.findLastIndex(
      (change) => change.op === 'delete' && change.path === path && seen.has(change),
    );
    while (left !== -1) {
      const next = this.changes[left + 1];
      const isMove = next?.op === 'move' && next.record.movedFrom === this.changes[left]?.path;
      if (!isMove || !seen.has(next)) return null;
      if (this.current.get(next.path)?.since === left + 1) return next.path;
      const arrived = left + 1;
      left = this.changes.findIndex(
        ({ op, path: at }, index) => index > arrived && op === 'delete' && at === next.path,
      );
      const then = this.changes[left];
      if (then === undefined || !seen.has(then)) return next.path;
    }
    return null;
  }

  seesAtOrBelow(path: string, viewer: Actor): boolean {
    return this.paths().some(
      (at) => (at === path || at.startsWith(`${path}/`)) && this.privacy.isVisible(at, viewer),
    );
  }

  isSharedAtOrBelow(path: string): boolean {
    return this.paths().some(
      (at) => (at === path || at.startsWith(`${path}/`)) && this.privacy.ownerOf(at) === null,
    );
  }

  isBlocked(path: string): boolean {
    return this.paths().some((other) => other.startsWith(`${path}/`) || path.startsWith(`${other}/`));
  }

  /** Obstacles of a path are revealed only to callers who see them. */
  blocked(path: string, actor: Actor): Expected {
    const obstacles = this.paths().filter(
      (other) => other.startsWith(`${path}/`) || path.startsWith(`${other}/`),
    );
    return error(obstacles.some((other) => this.privacy.isVisible(other, actor)) ? 409 : 404);
  }

  /**
   * A number selects from the newest files at the path. A number with content selects any listed version. Tools follow
   * moves: without such a version at the path, they take it from the newest earlier path that has it.
   */
  wanted(
    viewer: Actor,
    path: string,
    number: number,
    hash: string | null,
    { isSeen = true, followsMoves = false } = {},
  ) {
    const all = (this.stays.get(path) ?? []).toReversed();
    const here = isSeen ? all.filter((stay) => !this.hasLeftInPrivate(stay, viewer)) : all;
    const stays = hash === null ? here : this.#reached(viewer, here);
    for (const { path: at, versions } of stays) {
      const version = versions[number - 1];
      if (version !== undefined && (hash === null || sha256(version.content) === hash))
        return { ...version, at };
    }
    if (!followsMoves) return null;
    const earlier = this.#reached(viewer, here).find(
      (stay) => stay.path !== path && stay.versions.length >= number,
    );
    const version = earlier?.versions[number - 1];
    return earlier === undefined || version === undefined ? null : { ...version, at: earlier.path };
  }

  /** These files and the ones they were moved from, as far back as the viewer sees, newest first. */
  #reached(viewer: Actor, stays: readonly Stay[]): readonly Stay[] {
    const reached = new Set<Stay>();
    for (const stay of stays) {
      for (let part: Stay | null = stay; part !== null; part = part.cameFrom) {
        if (!this.privacy.isVisible(part.path, viewer)) break;
        reached.add(part);
      }
    }
    return [...reached].sort((a, b) => b.began - a.began);
  }

  /**
   * Whether it was another user's when it left its path and ended there, or belongs to another user where it is
   * now.
   */
  hasLeftInPrivate(stay: Stay, viewer: Actor): boolean {
    if (this.privacy.records.size === 0) return false;
    let at = stay;
    while (at.left !== null) {
      const { ownerId, to } = at.left;
      if (ownerId === null || ownerId === viewer.actorId) return false;
      if (to === null) return true;
      at = to;
    }
    return !this.privacy.isVisible(at.path, viewer);
  }

  begin(path: string, version: Version, cameFrom: Stay | null, lost?: LostRace): void {
    const since = this.changes.length;
    const began = this.#begun;
    const stay: Stay = { path, versions: [version], began, since, cameFrom, lost: lost ?? null, left: null };
    if (cameFrom !== null && cameFrom.left !== null) cameFrom.left.to = stay;
    this.#begun += 1;
    this.current.set(path, stay);
    this.stays.set(path, [...(this.stays.get(path) ?? []), stay]);
    this.#record(path, version, lost);
  }

  append(path: string, version: Version): void {
    this.current.get(path)?.versions.push(version);
    this.#record(path, version);
  }

  end(path: string, actor: Actor): void {
    const version = this.versionOf(path);
    const stay = this.current.get(path);
    if (stay !== undefined) stay.left = { ownerId: this.privacy.ownerOf(path), to: null };
    this.current.delete(path);
    this.#notify({ path, op: 'delete', version, contentHash: null, ...actor });
  }

  recordAccess(actor: Actor, op: 'access_revoked' | 'access_granted', path: string): void {
    const record = { workspaceId: this.#workspaceId, path, op, version: null, contentHash: null, ...actor };
    this.changes.push({ record, path, op, only: null, except: actor.actorId });
  }

  /** Notifies all who see the path at this moment. */
  #notify(fields: { readonly path: string; readonly op: string; readonly [field: string]: unknown }): void {
    const { path, op } = fields;
    const record = { workspaceId: this.#workspaceId, ...fields };
    this.changes.push({ record, path, op, only: this.privacy.ownerOf(path), except: null });
  }

  #record(path: string, { op, version, content, movedFrom, actor }: Version, lost?: LostRace): void {
    this.#notify({
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
