import assert from 'node:assert/strict';
import {
  type BaseFile,
  type BaseFolder,
  type ContentHash,
  conflictedCopyPaths,
  foldersAbove,
  isPlaceholder,
  isWithin,
  type KnownVersion,
  type LocalFile,
  type LocalFolderState,
  type LocalPresumed,
  type LocalState,
  type NameTraits,
  type ObjectId,
  placeholderOf,
  type RemoteState,
  rebasePath,
  type Stamp,
  type SyncFacts,
  type SyncOperation,
  type SyncTrees,
  type WorkspacePath,
} from '../../../src/index.ts';
import { diskKey } from '../../../src/names/local-name.ts';
import { type Content, contentOf, type Side, spelledAmong } from './side.ts';

interface HereFile extends Content {
  readonly object: number;
  readonly stamp: number;
}
interface ThereFile extends Content {
  readonly version: number;
  readonly movedFrom: WorkspacePath | null;
}

/** One folder and one server of which everything is known, and on which every operation succeeds if it may be done. */
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
  readonly asked = new Set<WorkspacePath>();
  /** All contents that the server ever had. */
  readonly stored = new Set<ContentHash>();
  readonly kept = new Set<ContentHash>();
  readonly traits: NameTraits;
  readonly #next = { stamp: 0, object: 1_000_000 };
  isEmptyBase = false;

  /** @param traits of the disk that the folder is on. */
  constructor(traits: NameTraits) {
    this.traits = traits;
  }

  isIgnored(path: WorkspacePath): boolean {
    return path.split('/').includes('ignored');
  }

  /** Both sides and the base are this. */
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
      const row = this.#baseRow(path, file.version, here ?? null);
      this.base.set(path, { ...row, localName: here === undefined ? null : this.#localName(path) });
    }
    for (const folder of this.foldersHere.keys()) {
      const isKnown = [...this.there.keys()].some((path) => isWithin(path, folder));
      if (isKnown) this.baseFolders.set(folder, { object: this.#objectOf(this.foldersHere.get(folder)) });
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
      // A placeholder is there on the server alone; here its folder is.
      if (isPlaceholder(path, hash)) continue;
      const before = old.get(path);
      const isSame = before?.object === object && before.hash === hash;
      this.here.set(path, { hash, sizeBytes, object, stamp: isSame ? before.stamp : this.#stamp() });
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

  #stamp(): number {
    this.#next.stamp += 1;
    return this.#next.stamp;
  }

  #object(): number {
    this.#next.object += 1;
    return this.#next.object;
  }

  #objectOf(object: number | undefined): ObjectId | null {
    return object === undefined ? null : (`o${object}` as ObjectId);
  }

  /** As the disk spells it, where that is not the workspace's spelling. */
  #localName(path: WorkspacePath): string | null {
    const spelled = this.traits.unicodeForm === 'changed' ? path.normalize('NFD') : path;
    return spelled === path ? null : spelled;
  }

  /** What the disk finds under a path. */
  #spelled(path: WorkspacePath): WorkspacePath {
    return spelledAmong(path, [...this.foldersHere.keys(), ...this.here.keys()], this.traits);
  }

  #baseRow(path: WorkspacePath, version: number, here: HereFile | null): BaseFile {
    const there = this.there.get(path);
    const { hash, sizeBytes } = here ?? there ?? contentOf(1);
    return {
      version,
      hash,
      sizeBytes,
      contentType: 'text/plain',
      stamp: here === null ? null : (`s${here.stamp}` as Stamp),
      object: this.#objectOf(here?.object),
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
      object: this.#objectOf(object),
      localName: this.#localName(path),
      mode: 0o644,
      isSuspect: false,
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
    return { base: this.base, baseFolders: this.baseFolders, local, localFolders, remote };
  }

  #localState(path: WorkspacePath): LocalState | null {
    if (this.isIgnored(path)) return null;
    if (this.unknown.has(path)) return { kind: 'unknown', reason: 'unsettled' };
    const here = this.here.get(path);
    const base = this.base.get(path);
    if (here !== undefined) {
      const isAsKnown =
        base !== undefined && base.stamp === `s${here.stamp}` && base.localName === this.#localName(path);
      return isAsKnown ? null : this.#localFile(path, here);
    }
    if (base === undefined || base.stamp === null) return null;
    return this.foldersHere.has(path) ? { kind: 'blocked', by: 'folder' } : { kind: 'absent' };
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
    if (object === undefined) return base === undefined ? null : { kind: 'absent' };
    if (folder.split('/').includes('ignored')) return null;
    const isEmpty = this.isEmptyFolder(folder);
    const isAsKnown = base !== undefined && base.object === this.#objectOf(object);
    if (isAsKnown && !(isEmpty && !this.base.has(placeholderOf(folder)))) return null;
    return { kind: 'folder', object: this.#objectOf(object), isEmpty };
  }

  facts(): SyncFacts {
    const versions = new Map([...this.asked].map((path) => [path, this.versions.get(path) ?? []]));
    return {
      phase: this.isEmptyBase ? 'first_contact' : 'live',
      traits: this.traits,
      isIgnored: (path) => this.isIgnored(path),
      isHealthy: true,
      fenced: new Set(),
      waiting: new Map(),
      uploadsWait: null,
      maxFileBytes: null,
      maxDeletes: null,
      confirmed: new Map(),
      versions,
      hashes: this.hashes,
      merge: 'off',
      copyLabel: { now: Date.UTC(2026, 10, 20, 14, 30, 12), writer: 'service-cli' },
    };
  }

  answer(path: WorkspacePath, kind: 'versions' | 'hash'): void {
    this.asked.add(path);
    const there = this.there.get(path);
    if (kind === 'hash' && there !== undefined) {
      this.hashes.set(path, { version: there.version, hash: there.hash });
    }
  }

  #checkHere(path: WorkspacePath, presumed: LocalPresumed): void {
    assert.ok(!this.unknown.has(path), `${path} is not known`);
    const here = this.here.get(this.#spelled(path));
    if (presumed.kind === 'absent') {
      assert.equal(here, undefined, `nothing was to be at ${path}`);
      assert.ok(!this.foldersHere.has(this.#spelled(path)), `a folder is in the way at ${path}`);
      for (const folder of foldersAbove(path))
        assert.ok(!this.here.has(this.#spelled(folder)), `a file is at ${folder}, above ${path}`);
    }
    if (presumed.kind === 'file')
      assert.equal(`s${here?.stamp}`, presumed.stamp, `another file is at ${path}`);
  }

  #checkFreeThere(path: WorkspacePath): void {
    for (const folder of foldersAbove(path))
      assert.ok(!this.there.has(folder), `path_taken: ${folder} above ${path}`);
    for (const each of this.there.keys())
      assert.ok(!isWithin(each, path), `path_taken: ${each} at or below ${path}`);
  }

  #makeFolders(path: WorkspacePath): void {
    for (const given of foldersAbove(path)) {
      const folder = this.#spelled(given);
      if (!this.foldersHere.has(folder)) this.foldersHere.set(folder, this.#object());
    }
  }

  /** S1: nothing that is neither known to both sides nor a version may go without a trace. */
  #checkMayGo(path: WorkspacePath, hash: ContentHash): void {
    const isBase = [...this.base.values()].some((each) => each.hash === hash);
    const isVersion = this.versions.get(path)?.some((each) => each.hash === hash) === true;
    assert.ok(isBase || isVersion, `the content of ${path} was nobody else's`);
    this.kept.add(hash);
  }

  #placeHere(path: WorkspacePath, content: Content): HereFile {
    this.#makeFolders(path);
    const here = {
      hash: content.hash,
      sizeBytes: content.sizeBytes,
      object: this.#object(),
      stamp: this.#stamp(),
    };
    this.here.set(this.#spelled(path), here);
    return here;
  }

  #takeAway(path: WorkspacePath): HereFile {
    const spelled = this.#spelled(path);
    const file = this.here.get(spelled);
    assert.ok(file !== undefined);
    this.here.delete(spelled);
    return file;
  }

  /** Folders that a rename leads through under another spelling only are spelled as the new path is. */
  #respellFolders(from: WorkspacePath, to: WorkspacePath): void {
    const [before, after] = [foldersAbove(from), foldersAbove(to)];
    for (const [depth, folder] of after.entries()) {
      const old = before[depth];
      if (old === undefined || diskKey(old, this.traits) !== diskKey(folder, this.traits)) return;
      const spelled = this.#spelled(old);
      if (spelled === folder) continue;
      const trees: readonly Map<WorkspacePath, unknown>[] = [this.here, this.foldersHere];
      for (const tree of trees) {
        for (const [path, each] of [...tree]) {
          if (!isWithin(path, spelled)) continue;
          tree.delete(path);
          tree.set(rebasePath(path, spelled, folder), each);
        }
      }
    }
  }

  apply(operation: SyncOperation): void {
    const { path } = operation;
    switch (operation.kind) {
      case 'upload': {
        this.#checkHere(path, { kind: 'file', stamp: operation.local.stamp, hash: operation.local.hash });
        const there = this.there.get(path);
        if (operation.remote.kind === 'absent') this.#checkFreeThere(path);
        else
          assert.deepEqual(
            { version: there?.version, hash: there?.hash },
            { version: operation.remote.version, hash: operation.remote.hash },
          );
        this.store(path, operation.local, (there?.version ?? 0) + 1, null);
        this.base.set(
          path,
          this.#baseRow(path, (there?.version ?? 0) + 1, this.here.get(this.#spelled(path)) ?? null),
        );
        return;
      }
      case 'put_placeholder':
        assert.ok(this.foldersHere.has(this.#spelled(operation.folder)));
        if (this.hidden.has(path)) return;
        this.#checkFreeThere(path);
        this.store(path, contentOf(1), 1, null);
        this.base.set(path, this.#baseRow(path, 1, null));
        this.baseFolders.set(operation.folder, {
          object: this.#objectOf(this.foldersHere.get(this.#spelled(operation.folder))),
        });
        return;
      case 'download': {
        const there = this.there.get(path);
        assert.ok(
          there !== undefined && (operation.wanted.hash === null || there.hash === operation.wanted.hash),
        );
        this.#checkHere(path, operation.over);
        if (operation.over.kind === 'file') this.#checkMayGo(path, operation.over.hash);
        if (isPlaceholder(path, there.hash) && operation.over.kind === 'absent') {
          this.#makeFolders(path);
          this.base.set(path, this.#baseRow(path, there.version, null));
          return;
        }
        const here = this.#placeHere(path, there);
        this.base.set(path, this.#baseRow(path, there.version, here));
        return;
      }
      case 'make_folder':
        assert.ok(!this.here.has(this.#spelled(operation.folder)));
        this.#makeFolders(path);
        this.base.set(path, this.#baseRow(path, operation.remote.version, null));
        this.baseFolders.set(operation.folder, {
          object: this.#objectOf(this.foldersHere.get(this.#spelled(operation.folder))),
        });
        return;
      case 'adopt': {
        const there = this.there.get(path);
        assert.equal(there?.hash, operation.remote.hash);
        const here = this.here.get(path) ?? null;
        if (operation.local !== null) assert.equal(here?.hash, there?.hash);
        this.base.set(path, {
          ...this.#baseRow(path, operation.remote.version, operation.local === null ? null : here),
          localName: operation.local?.localName ?? null,
        });
        return;
      }
      case 'forget':
        this.base.delete(path);
        this.hidden.delete(path);
        return;
      case 'carry_base': {
        const row = this.base.get(operation.from);
        assert.ok(row !== undefined && !this.base.has(path));
        this.base.delete(operation.from);
        this.base.set(path, row);
        return;
      }
      case 'conflict': {
        const there = this.there.get(path);
        assert.ok(there !== undefined && there.hash === operation.remote.hash);
        this.#checkHere(path, { kind: 'file', stamp: operation.local.stamp, hash: operation.local.hash });
        assert.ok(
          !this.versions.get(path)?.some(({ hash }) => hash === operation.local.hash) || operation.row === 12,
          'an old version is not a conflict',
        );
        for (const copy of conflictedCopyPaths(path, 0, 'service-cli')) {
          if (this.there.has(copy)) continue;
          this.store(copy, operation.local, 1, null);
          const spelled = this.#spelled(copy);
          if (!this.here.has(spelled) && !this.foldersHere.has(spelled)) {
            const here = this.#placeHere(copy, operation.local);
            this.base.set(copy, this.#baseRow(copy, 1, here));
          } else this.kept.add(operation.local.hash);
          break;
        }
        this.base.set(path, this.#baseRow(path, there.version, this.#placeHere(path, there)));
        return;
      }
      case 'merge':
        throw new Error('merging is off');
      case 'delete_there': {
        const there = this.there.get(path);
        assert.ok(!this.here.has(path) && !this.unknown.has(path), `${path} is there or not known`);
        assert.deepEqual([there?.version, there?.hash], [operation.remote.version, operation.remote.hash]);
        assert.ok(!this.isEmptyBase || this.base.has(path), 'nothing is deleted on first contact');
        assert.ok(this.base.has(path));
        this.there.delete(path);
        this.base.delete(path);
        return;
      }
      case 'move_there': {
        const there = this.there.get(operation.from);
        assert.deepEqual([there?.version, there?.hash], [operation.remote.version, operation.remote.hash]);
        const row = this.base.get(operation.from);
        assert.ok(there !== undefined && row !== undefined);
        if (operation.local !== null)
          this.#checkHere(path, { kind: 'file', stamp: operation.local.stamp, hash: operation.local.hash });
        this.there.delete(operation.from);
        this.#checkFreeThere(path);
        this.versions.set(path, [...(this.versions.get(operation.from) ?? [])]);
        this.store(path, there, 1, operation.from);
        this.base.delete(operation.from);
        const isSame = operation.local?.hash === row.hash;
        const half =
          isSame && operation.local !== null
            ? { stamp: operation.local.stamp, object: operation.local.object }
            : {};
        this.base.set(path, {
          ...row,
          version: there.hash === row.hash ? 1 : row.version,
          localName: operation.local?.localName ?? null,
          ...half,
        });
        return;
      }
      case 'move_folder_there':
        for (const [folder, state] of [...this.baseFolders]) {
          if (!isWithin(folder, operation.from)) continue;
          // What is ignored stays behind, and its folder with it.
          if (![...this.base.keys()].some((each) => isWithin(each, folder))) this.baseFolders.delete(folder);
          this.baseFolders.set(rebasePath(folder, operation.from, path), state);
        }
        return;
      case 'rename_here': {
        this.#checkHere(operation.from, operation.local);
        const isRespelled = this.#spelled(path) === this.#spelled(operation.from);
        if (!isRespelled) this.#checkHere(path, { kind: 'absent' });
        const row = this.base.get(operation.baseFrom);
        assert.ok(row !== undefined);
        this.#respellFolders(operation.from, path);
        this.#makeFolders(path);
        const file = this.#takeAway(operation.from);
        this.here.set(this.#spelled(path), file);
        this.base.delete(operation.baseFrom);
        this.base.set(path, { ...row, localName: null });
        return;
      }
      case 'set_aside':
        assert.ok(!this.there.has(path) && this.#spelled(path) === path);
        assert.ok(!this.here.has(path) && !this.foldersHere.has(path));
        if (operation.local.kind === 'folder') {
          for (const [file, each] of [...this.here]) {
            if (!isWithin(file, operation.from)) continue;
            assert.ok(!this.unknown.has(file) || this.isIgnored(file));
            this.here.delete(file);
            this.here.set(rebasePath(file, operation.from, path), each);
          }
          for (const [folder, each] of [...this.foldersHere]) {
            if (!isWithin(folder, operation.from)) continue;
            this.foldersHere.delete(folder);
            this.foldersHere.set(rebasePath(folder, operation.from, path), each);
          }
        } else {
          this.#checkHere(operation.from, operation.local);
          this.here.set(path, this.#takeAway(operation.from));
        }
        return;
      case 'remove_here':
        this.#checkHere(path, operation.local);
        assert.ok(this.base.has(path) && !this.there.has(path));
        this.#checkMayGo(path, operation.local.hash);
        this.#takeAway(path);
        this.base.delete(path);
        return;
      case 'unlink_here':
        this.#checkHere(path, operation.local);
        this.#checkMayGo(path, operation.local.hash);
        this.#takeAway(path);
        this.base.delete(path);
        this.hidden.delete(path);
        return;
      case 'rescue':
        this.#checkHere(path, operation.local);
        this.kept.add(operation.local.hash);
        this.#takeAway(path);
        this.base.delete(path);
        this.hidden.delete(path);
        return;
      case 'remove_folder_here':
        for (const each of this.here.keys()) {
          if (isWithin(each, path))
            assert.ok(this.isIgnored(each), `${each} was to be gone before its folder`);
        }
        // Under another spelling by now, it holds what was renamed into it.
        if (this.isEmptyFolder(path)) this.foldersHere.delete(path);
        this.baseFolders.delete(path);
        return;
      case 'adopt_folder':
        this.baseFolders.set(path, { object: operation.object });
        return;
      case 'forget_folder':
        this.baseFolders.delete(path);
        return;
    }
  }

  /** What is not the same on both sides and in the base. */
  differences(leftOut: ReadonlySet<string>): string[] {
    const found: string[] = [];
    for (const path of new Set([...this.base.keys(), ...this.here.keys(), ...this.there.keys()])) {
      if (this.isIgnored(path) || leftOut.has(path)) continue;
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
      if (this.isIgnored(folder)) continue;
      const isThere = [...this.there.keys()].some((path) => isWithin(path, folder) && !this.isIgnored(path));
      const holdsIgnored = [...this.here.keys(), ...this.foldersHere.keys(), ...this.there.keys()].some(
        (path) => isWithin(path, folder) && this.isIgnored(path),
      );
      const isHere = this.foldersHere.has(folder);
      if (
        isThere !== isHere &&
        !(isHere && holdsIgnored) &&
        !this.#isLeftOut(folder, isHere ? this.here : this.there, leftOut)
      )
        found.push(`${folder}/`);
    }
    return found;
  }

  /** Of a folder that one side alone has: all that it holds is left out, or the placeholder that it would get is. */
  #isLeftOut(
    folder: WorkspacePath,
    side: ReadonlyMap<WorkspacePath, unknown>,
    leftOut: ReadonlySet<string>,
  ): boolean {
    const held = [...side.keys()].filter((path) => isWithin(path, folder) && !this.isIgnored(path));
    return (
      held.every((path) => leftOut.has(path)) && [...leftOut].some((path) => path.startsWith(`${folder}/`))
    );
  }
}
