import {
  type BaseFile,
  type BaseFolder,
  type ContentHash,
  changesMax,
  foldersAbove,
  type HoldKind,
  type HoldMember,
  isPlaceholder,
  isWithin,
  type KnownVersion,
  type LocalFile,
  type LocalFolderState,
  type LocalState,
  type NameTraits,
  type ObjectId,
  placeholderOf,
  type RemoteState,
  type Stamp,
  type SyncFacts,
  type SyncTrees,
  type WorkspacePath,
} from '../../../src/index.ts';
import { type Content, contentOf, type Side, spelledAmong } from './side.ts';

export interface HereFile extends Content {
  readonly object: number;
  readonly stamp: number;
}
interface ThereFile extends Content {
  readonly version: number;
  readonly movedFrom: WorkspacePath | null;
}

/** One fully known folder and server, to which `applyOperation` applies a plan. */
export class World {
  readonly here = new Map<WorkspacePath, HereFile>();
  readonly foldersHere = new Map<WorkspacePath, number>();
  readonly there = new Map<WorkspacePath, ThereFile>();
  readonly base = new Map<WorkspacePath, BaseFile>();
  readonly baseFolders = new Map<WorkspacePath, BaseFolder>();
  readonly hidden = new Set<WorkspacePath>();
  readonly unknown = new Set<WorkspacePath>();
  readonly withoutHash = new Set<WorkspacePath>();
  readonly versions = new Map<WorkspacePath, KnownVersion[]>();
  readonly hashes = new Map<WorkspacePath, KnownVersion>();
  readonly confirmed = new Map<HoldKind, readonly HoldMember[]>();
  readonly asked = new Set<WorkspacePath>();
  /** All contents that the server has ever stored. */
  readonly stored = new Set<ContentHash>();
  readonly kept = new Set<ContentHash>();
  readonly traits: NameTraits;
  readonly #next = { stamp: 0, object: 1_000_000 };
  isEmptyBase = false;

  /** @param traits of the disk that the folder is on. */
  constructor(traits: NameTraits) {
    this.traits = traits;
  }

  /** Applies two rules: one for files and folders, the other only for folders. */
  isIgnored(path: WorkspacePath): boolean {
    return (
      path.split('/').includes('ignored') || foldersAbove(path).some((each) => this.isIgnoredFolder(each))
    );
  }

  isIgnoredFolder(folder: WorkspacePath): boolean {
    return folder.split('/').some((each) => each === 'ignored' || each === 'out');
  }

  /** Sets both sides and the base to `side`. */
  startFrom(side: Side): void {
    this.#setHere(side);
    this.#setThere(side);
    this.takeForBase();
  }

  takeForBase(): void {
    this.base.clear();
    this.baseFolders.clear();
    for (const [path, file] of this.there) {
      const here = this.here.get(path);
      const isKept = isPlaceholder(path, file.hash);
      if (here === undefined && !isKept) continue;
      const row = this.baseRow(path, file.version, here ?? null);
      this.base.set(path, { ...row, localName: here === undefined ? null : this.localName(path) });
    }
    for (const folder of this.foldersHere.keys()) {
      const isKnown = [...this.there.keys()].some((path) => isWithin(path, folder));
      if (isKnown) this.baseFolders.set(folder, { object: this.objectOf(this.foldersHere.get(folder)) });
    }
  }

  changeHere(side: Side): void {
    this.#setHere(side);
  }

  changeThere(side: Side): void {
    this.#setThere(side);
  }

  #setHere(side: Side): void {
    const old = new Map(this.here);
    this.here.clear();
    this.foldersHere.clear();
    for (const [path, { hash, sizeBytes, object }] of side.files) {
      // A placeholder exists only on the server; locally there is its folder.
      if (isPlaceholder(path, hash)) continue;
      const before = old.get(path);
      const isSame = before?.object === object && before.hash === hash;
      this.here.set(path, { hash, sizeBytes, object, stamp: isSame ? before.stamp : this.stamp() });
    }
    for (const [folder, object] of side.folders) this.foldersHere.set(folder, object);
  }

  #setThere(side: Side): void {
    const old = new Map(this.there);
    this.there.clear();
    for (const [path, { hash, sizeBytes, movedFrom }] of side.files) {
      const before = old.get(path);
      const version = before === undefined ? 1 : before.hash === hash ? before.version : before.version + 1;
      this.store(path, { hash, sizeBytes }, version, before === undefined ? movedFrom : null);
    }
  }

  store(
    path: WorkspacePath,
    { hash, sizeBytes }: Content,
    version: number,
    movedFrom: WorkspacePath | null,
  ): void {
    this.there.set(path, { hash, sizeBytes, version, movedFrom });
    this.stored.add(hash);
    const list = this.versions.get(path) ?? [];
    if (list[0]?.version !== version || list[0].hash !== hash) list.unshift({ version, hash });
    this.versions.set(path, list);
  }

  stamp(): number {
    this.#next.stamp += 1;
    return this.#next.stamp;
  }

  object(): number {
    this.#next.object += 1;
    return this.#next.object;
  }

  objectOf(object: number | undefined): ObjectId | null {
    return object === undefined ? null : (`o${object}` as ObjectId);
  }

  /** Returns the name on the disk, or null if it equals the workspace path. */
  localName(path: WorkspacePath): string | null {
    const spelled = this.traits.unicodeForm === 'changed' ? path.normalize('NFD') : path;
    return spelled === path ? null : spelled;
  }

  /** Returns the path that the disk finds under a path. */
  spelled(path: WorkspacePath): WorkspacePath {
    return spelledAmong(path, [...this.foldersHere.keys(), ...this.here.keys()], this.traits);
  }

  baseRow(path: WorkspacePath, version: number, here: HereFile | null): BaseFile {
    const there = this.there.get(path);
    const { hash, sizeBytes } = here ?? there ?? contentOf(1);
    return {
      version,
      hash,
      sizeBytes,
      contentType: 'text/plain',
      stamp: here === null ? null : (`s${here.stamp}` as Stamp),
      object: this.objectOf(here?.object),
      localName: null,
      mode: 0o644,
      isFlushed: true,
    };
  }

  #localFile(path: WorkspacePath, { hash, sizeBytes, object, stamp }: HereFile): LocalFile {
    return {
      kind: 'file',
      hash,
      sizeBytes,
      stamp: `s${stamp}` as Stamp,
      object: this.objectOf(object),
      localName: this.localName(path),
      mode: 0o644,
      isUntrusted: false,
    };
  }

  isEmptyFolder(folder: WorkspacePath): boolean {
    const all = [...this.here.keys(), ...this.foldersHere.keys()];
    return !all.some((path) => path !== folder && isWithin(path, folder));
  }

  trees(): SyncTrees {
    const local = new Map<WorkspacePath, LocalState>();
    const remote = new Map<WorkspacePath, RemoteState>();
    const localFolders = new Map<WorkspacePath, LocalFolderState>();
    for (const path of new Set([...this.base.keys(), ...this.here.keys()])) {
      const state = this.#localState(path);
      if (state !== null) local.set(path, state);
    }
    for (const path of new Set([...this.base.keys(), ...this.there.keys(), ...this.hidden])) {
      const state = this.#remoteState(path);
      if (state !== null) remote.set(path, state);
    }
    for (const folder of new Set([...this.baseFolders.keys(), ...this.foldersHere.keys()])) {
      const state = this.#folderState(folder);
      if (state !== null) localFolders.set(folder, state);
    }
    const ignored = this.#ignored();
    return { base: this.base, baseFolders: this.baseFolders, local, localFolders, ignored, remote };
  }

  /** Returns the ignored items. A scan does not read the entries of ignored folders. */
  #ignored(): SyncTrees['ignored'] {
    const isSeen = (path: WorkspacePath) => !foldersAbove(path).some((each) => this.isIgnoredFolder(each));
    const files = [...this.here.keys()].filter((path) => this.isIgnored(path) && isSeen(path));
    const folders = [...this.foldersHere.keys()].filter((path) => this.isIgnoredFolder(path) && isSeen(path));
    return new Map([
      ...files.map((path) => [path, 'file'] as const),
      ...folders.map((path) => [path, 'folder'] as const),
    ]);
  }

  #localState(path: WorkspacePath): LocalState | null {
    if (this.isIgnored(path)) return null;
    if (this.unknown.has(path)) return { kind: 'unknown', reason: 'unsettled' };
    const here = this.here.get(path);
    const base = this.base.get(path);
    if (here !== undefined) {
      const isAsKnown =
        base !== undefined && base.stamp === `s${here.stamp}` && base.localName === this.localName(path);
      return isAsKnown ? null : this.#localFile(path, here);
    }
    if (base === undefined || base.stamp === null) return null;
    const isFolder = this.foldersHere.has(path) && !this.isIgnoredFolder(path);
    return isFolder ? { kind: 'blocked', by: 'folder' } : { kind: 'absent' };
  }

  #remoteState(path: WorkspacePath): RemoteState | null {
    if (this.hidden.has(path)) return { kind: 'hidden' };
    const there = this.there.get(path);
    const base = this.base.get(path);
    if (there === undefined) return base === undefined ? null : { kind: 'absent' };
    if (base !== undefined && base.hash === there.hash && base.version === there.version) return null;
    const { hash, sizeBytes, version, movedFrom } = there;
    const origin = { movedFrom, conflictOf: null, seq: 1 };
    const known = this.withoutHash.has(path) ? null : hash;
    return { kind: 'file', version, hash: known, sizeBytes, contentType: null, ...origin };
  }

  #folderState(folder: WorkspacePath): LocalFolderState | null {
    const object = this.foldersHere.get(folder);
    const base = this.baseFolders.get(folder);
    const isSeen = object !== undefined && !this.isIgnoredFolder(folder);
    if (!isSeen) return base === undefined ? null : { kind: 'absent' };
    const isEmpty = this.isEmptyFolder(folder);
    const isAsKnown = base !== undefined && base.object === this.objectOf(object);
    if (isAsKnown && !(isEmpty && !this.base.has(placeholderOf(folder)))) return null;
    return { kind: 'folder', object: this.objectOf(object), isEmpty };
  }

  facts(): SyncFacts {
    const versions = new Map([...this.asked].map((path) => [path, this.versions.get(path) ?? []]));
    return {
      phase: this.isEmptyBase ? 'first_contact' : 'live',
      traits: this.traits,
      isIgnored: (path) => this.isIgnored(path),
      isHealthy: true,
      awaitingEcho: new Set(),
      waiting: new Map(),
      lost: new Set(),
      uploadsWait: null,
      maxFileBytes: null,
      maxChanges: changesMax,
      confirmed: this.confirmed,
      versions,
      hashes: this.hashes,
      merge: 'off',
      copyLabel: { now: Date.UTC(2026, 10, 20, 14, 30, 12), writer: 'service-cli' },
    };
  }

  respond(path: WorkspacePath, kind: 'versions' | 'hash'): void {
    this.asked.add(path);
    const there = this.there.get(path);
    if (kind === 'hash' && there !== undefined) {
      this.hashes.set(path, { version: there.version, hash: there.hash });
    }
  }

  /** Returns the paths that differ between both sides and the base. */
  differences(skipped: ReadonlySet<string>): string[] {
    const found: string[] = [];
    for (const path of new Set([...this.base.keys(), ...this.here.keys(), ...this.there.keys()])) {
      if (this.isIgnored(path) || skipped.has(path)) continue;
      const [base, here, there] = [this.base.get(path), this.here.get(path), this.there.get(path)];
      if (there !== undefined && isPlaceholder(path, there.hash)) {
        const parent = foldersAbove(path).at(-1);
        if (base === undefined || (parent !== undefined && !this.foldersHere.has(parent)))
          found.push(`${path} (placeholder)`);
        continue;
      }
      if (base?.hash !== here?.hash || base?.hash !== there?.hash || base?.version !== there?.version)
        found.push(path);
    }
    for (const folder of new Set([...this.baseFolders.keys(), ...this.foldersHere.keys()])) {
      if (this.isIgnoredFolder(folder)) continue;
      const isThere = [...this.there.keys()].some((path) => isWithin(path, folder) && !this.isIgnored(path));
      const holdsIgnored =
        [...this.here.keys(), ...this.there.keys()].some(
          (path) => isWithin(path, folder) && this.isIgnored(path),
        ) ||
        [...this.foldersHere.keys()].some((path) => isWithin(path, folder) && this.isIgnoredFolder(path));
      const isHere = this.foldersHere.has(folder);
      if (
        isThere !== isHere &&
        !(isHere && holdsIgnored) &&
        !this.#isSkipped(folder, isHere ? this.here : this.there, skipped)
      )
        found.push(`${folder}/`);
    }
    return found;
  }

  /** Whether a folder on only one side is skipped: all its entries are, or its missing placeholder is. */
  #isSkipped(
    folder: WorkspacePath,
    side: ReadonlyMap<WorkspacePath, unknown>,
    skipped: ReadonlySet<string>,
  ): boolean {
    const pending = [...side.keys()].filter((path) => isWithin(path, folder) && !this.isIgnored(path));
    return (
      pending.every((path) => skipped.has(path)) && [...skipped].some((path) => path.startsWith(`${folder}/`))
    );
  }
}
