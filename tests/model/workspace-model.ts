import { ConflictedCopies, type Write } from './workspace/conflicted-copies.ts';
import { type Actor, isAt, type ModelChange, type Seen, sha256 } from './workspace/facts.ts';
import { Holdings } from './workspace/holdings.ts';
import { moveFolder, moveOne } from './workspace/move-folder.ts';
import { guess, transferredType } from './workspace/paths.ts';
import {
  type ContentFound,
  type ContentQuery,
  entries,
  type Found,
  find,
  list,
  type ModelEntry,
  search,
  searchContent,
  usage,
  versions,
} from './workspace/reads.ts';
import { type Expected, error, readOf, stale } from './workspace/responses.ts';
import { undo } from './workspace/undo.ts';

/**
 * A workspace as docs/interface describes it, in plain maps, without storage, time or network. It shares no code
 * with the service, so both agree only if both are right.
 */
export class WorkspaceModel {
  readonly #held: Holdings;
  readonly #copies: ConflictedCopies;

  constructor(workspaceId: string) {
    this.#held = new Holdings(workspaceId);
    this.#copies = new ConflictedCopies(this.#held);
  }

  paths(): readonly string[] {
    return this.#held.paths();
  }

  /** The paths that files have or ever had. */
  pathsEver(): readonly string[] {
    return [...this.#held.stays.keys()];
  }

  versionOf(path: string): number | null {
    return this.#held.versionOf(path);
  }

  hashOf(path: string): string | null {
    const head = this.#held.head(path);
    return head === null ? null : sha256(head.content);
  }

  /** The changes that the viewer may see now, oldest first. */
  changesFor(viewer: Actor): readonly ModelChange[] {
    return this.#held.changesFor(viewer);
  }

  movedTo(path: string, viewer: Actor): string | null {
    return this.#held.movedTo(path, viewer);
  }

  setPrivate(actor: Actor, path: string, kind: 'file' | 'folder', isPrivate: boolean): Expected {
    if (!this.#held.privacy.isVisible(path, actor)) return error(404);
    if (kind === 'file' && !this.#held.current.has(path)) return error(404);
    if (kind === 'folder' && this.#held.current.has(path)) return error(409);
    const own = this.#held.privacy.records.get(path);
    if (isPrivate && (own === undefined || own.implied || own.kind !== kind)) {
      const wasShared = this.#held.isSharedAtOrBelow(path);
      this.#held.privacy.records.set(path, { kind, ownerId: actor.actorId, implied: false });
      for (const [below, record] of kind === 'folder' ? [...this.#held.privacy.records] : []) {
        const isCovered = below.startsWith(`${path}/`) && record.ownerId === actor.actorId;
        if (record.implied && isCovered) this.#held.privacy.records.delete(below);
      }
      if (wasShared) this.#held.recordAccess(actor, 'access_revoked', path);
    }
    if (!isPrivate && own === undefined && !this.#held.seesAtOrBelow(path, actor)) return error(404);
    if (!isPrivate && own !== undefined) {
      this.#held.privacy.records.delete(path);
      if (this.#held.isSharedAtOrBelow(path)) this.#held.recordAccess(actor, 'access_granted', path);
    }
    return { status: 200, json: { ok: true, path, kind, private: isPrivate } };
  }

  get(viewer: Actor, path: string, knownVersion: number | null): Expected {
    const head = this.#held.head(path);
    if (head === null || !this.#held.privacy.isVisible(path, viewer)) return error(404);
    if (head.version === knownVersion) return { status: 304, bytes: '' };
    return readOf(head);
  }

  /** `respondedCopy` is the path at which the service kept losing bytes. The model cannot predict it. */
  put(
    actor: Actor,
    write: Write,
    respondedCopy: string | null,
    { emptyAllowed = false, rejectStale: reject = false } = {},
  ): Expected {
    const { path, content, precondition } = write;
    if (!this.#held.privacy.isVisible(path, actor)) return error(404);
    if (content === '' && !emptyAllowed) return error(400);
    const head = this.#held.head(path);
    const made = {
      content,
      contentType: write.contentType ?? guess(path),
      op: 'write',
      actor,
      movedFrom: null,
    } as const;
    if (head === null) {
      if (this.#held.isBlocked(path)) return this.#held.blocked(path, actor);
      this.#held.begin(path, { ...made, version: 1 }, null);
      return { status: 201, json: { path, version: 1 } };
    }
    if (precondition.kind === 'none') return error(428);
    if (precondition.kind === 'version' && isAt(head, precondition)) {
      const version = head.version + 1;
      this.#held.append(path, { ...made, version });
      return { status: 200, json: { path, version }, headers: { etag: `"${version}"` } };
    }
    if (content === head.content) return { status: 200, json: { path, version: head.version } };
    if (reject) return stale(head.version);
    const copy = this.#copies.keep(actor, write, respondedCopy);
    return {
      status: 412,
      json: { error: 'version_conflict', current_version: head.version, conflict_copy_path: copy },
    };
  }

  delete(actor: Actor, path: string, seen: Seen | null): Expected {
    const head = this.#held.head(path);
    if (head === null || !this.#held.privacy.isVisible(path, actor)) return error(404);
    if (seen === null) return error(428);
    if (!isAt(head, seen)) return stale(head.version);
    this.#held.end(path, actor);
    return { status: 204, bytes: '' };
  }

  move(actor: Actor, from: string, to: string, base: Seen | null): Expected {
    const head = this.#held.head(from);
    if (head === null) return error(404);
    if (!this.#held.privacy.isVisible(from, actor) || !this.#held.privacy.isVisible(to, actor))
      return error(404);
    if (base !== null && !isAt(head, base)) return stale(head.version);
    if (this.#held.current.has(to)) return error(409);
    if (this.#held.isBlocked(to)) return this.#held.blocked(to, actor);
    moveOne(this.#held, actor, from, to);
    return { status: 200, json: { path: to, version: 1 } };
  }

  /** @param files whether the files of the folder also move, not only its private records. */
  moveFolder(actor: Actor, from: string, to: string, files: boolean): Expected {
    return moveFolder(this.#held, actor, { from, to }, files);
  }

  /** `content` is the expected content of the version; null selects by number only. */
  restore(
    actor: Actor,
    path: string,
    targetVersion: number,
    content: string | null,
    { followsMoves = false } = {},
  ): Expected {
    const hash = content === null ? null : sha256(content);
    const target = this.#held.wanted(actor, path, targetVersion, hash, { followsMoves });
    if (target === null || !this.#held.privacy.isVisible(path, actor)) return error(404);
    const version = (this.#held.versionOf(path) ?? 0) + 1;
    const contentType = transferredType(target.contentType, target.at, path);
    const { at: _, ...held } = target;
    const made = { ...held, contentType, version, op: 'restore', actor, movedFrom: null } as const;
    if (version > 1) this.#held.append(path, made);
    else if (this.#held.isBlocked(path)) return this.#held.blocked(path, actor);
    else this.#held.begin(path, made, null);
    return { status: 200, json: { path, version, restoredFrom: targetVersion } };
  }

  readVersion(
    viewer: Actor,
    path: string,
    version: number,
    content: string | null,
    { followsMoves = false } = {},
  ): Expected {
    const hash = content === null ? null : sha256(content);
    const found = this.#held.wanted(viewer, path, version, hash, { followsMoves });
    return found === null || !this.#held.privacy.isVisible(path, viewer) ? error(404) : readOf(found);
  }

  /** Removes all changes of the caller's key. */
  undo(actor: Actor): Expected {
    return undo(this.#held, actor);
  }

  /** Resolves a conflict: the file keeps one text, and the copy is deleted. */
  resolve(actor: Actor, copyPath: string, keep: 'merge' | 'current' | 'copy'): Expected {
    return this.#copies.resolve(actor, copyPath, keep);
  }

  versions(viewer: Actor, path: string): Expected {
    return versions(this.#held, viewer, path);
  }

  list(viewer: Actor, prefix: string, details = false): Expected {
    return list(this.#held, viewer, prefix, details);
  }

  entries(viewer: Actor, prefix: string): readonly ModelEntry[] {
    return entries(this.#held, viewer, prefix);
  }

  usage() {
    return usage(this.#held);
  }

  search(viewer: Actor, query: string): readonly string[] {
    return search(this.#held, viewer, query);
  }

  searchContent(viewer: Actor, query: ContentQuery): ContentFound {
    return searchContent(this.#held, viewer, query);
  }

  find(viewer: Actor, query: string): readonly Found[] {
    return find(this.#held, viewer, query);
  }
}
