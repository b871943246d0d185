import assert from 'node:assert/strict';
import {
  type ContentHash,
  conflictedCopyPaths,
  foldersAbove,
  isPlaceholder,
  isWithin,
  type LocalPresumed,
  rebasePath,
  type SyncOperation,
  type WorkspacePath,
} from '../../../src/index.ts';
import { diskKey } from '../../../src/names/local-name.ts';
import { type Content, contentOf } from './side.ts';
import type { HereFile, World } from './world.ts';

/** Applies a planned operation to the world and asserts its presumed state. */
export function applyOperation(world: World, operation: SyncOperation): void {
  const { path } = operation;
  switch (operation.kind) {
    case 'upload': {
      checkHere(world, path, { kind: 'file', stamp: operation.local.stamp, hash: operation.local.hash });
      const there = world.there.get(path);
      if (operation.remote.kind === 'absent') checkFreeThere(world, path);
      else
        assert.deepEqual(
          { version: there?.version, hash: there?.hash },
          { version: operation.remote.version, hash: operation.remote.hash },
        );
      world.store(path, operation.local, (there?.version ?? 0) + 1, null);
      world.base.set(
        path,
        world.baseRow(path, (there?.version ?? 0) + 1, world.here.get(world.spelled(path)) ?? null),
      );
      return;
    }
    case 'put_placeholder':
      assert.ok(world.foldersHere.has(world.spelled(operation.folder)));
      if (world.hidden.has(path)) return;
      checkFreeThere(world, path);
      world.store(path, contentOf(1), 1, null);
      world.base.set(path, world.baseRow(path, 1, null));
      world.baseFolders.set(operation.folder, {
        object: world.objectOf(world.foldersHere.get(world.spelled(operation.folder))),
      });
      return;
    case 'download': {
      const there = world.there.get(path);
      assert.ok(
        there !== undefined && (operation.wanted.hash === null || there.hash === operation.wanted.hash),
      );
      checkHere(world, path, operation.over);
      if (operation.over.kind === 'file') checkMayGo(world, path, operation.over.hash);
      if (isPlaceholder(path, there.hash) && operation.over.kind === 'absent') {
        makeFolders(world, path);
        world.base.set(path, world.baseRow(path, there.version, null));
        return;
      }
      const here = locationHere(world, path, there);
      world.base.set(path, world.baseRow(path, there.version, here));
      return;
    }
    case 'make_folder':
      assert.ok(!world.here.has(world.spelled(operation.folder)));
      makeFolders(world, path);
      world.base.set(path, world.baseRow(path, operation.remote.version, null));
      world.baseFolders.set(operation.folder, {
        object: world.objectOf(world.foldersHere.get(world.spelled(operation.folder))),
      });
      return;
    case 'adopt': {
      const there = world.there.get(path);
      assert.equal(there?.hash, operation.remote.hash);
      const here = world.here.get(path) ?? null;
      if (operation.local !== null) assert.equal(here?.hash, there?.hash);
      world.base.set(path, {
        ...world.baseRow(path, operation.remote.version, operation.local === null ? null : here),
        localName: operation.local?.localName ?? null,
      });
      return;
    }
    case 'forget':
      world.base.delete(path);
      world.hidden.delete(path);
      return;
    case 'carry_base': {
      const row = world.base.get(operation.from);
      assert.ok(row !== undefined && !world.base.has(path));
      world.base.delete(operation.from);
      world.base.set(path, row);
      return;
    }
    case 'conflict': {
      const there = world.there.get(path);
      assert.ok(there !== undefined && there.hash === operation.remote.hash);
      checkHere(world, path, { kind: 'file', stamp: operation.local.stamp, hash: operation.local.hash });
      assert.ok(
        !world.versions.get(path)?.some(({ hash }) => hash === operation.local.hash) || operation.row === 12,
        'an old version is not a conflict',
      );
      for (const copy of conflictedCopyPaths(path, 0, 'service-cli')) {
        if (world.there.has(copy)) continue;
        world.store(copy, operation.local, 1, null);
        const spelled = world.spelled(copy);
        if (!world.here.has(spelled) && !world.foldersHere.has(spelled)) {
          const here = locationHere(world, copy, operation.local);
          world.base.set(copy, world.baseRow(copy, 1, here));
        } else world.kept.add(operation.local.hash);
        break;
      }
      world.base.set(path, world.baseRow(path, there.version, locationHere(world, path, there)));
      return;
    }
    case 'merge':
      throw new Error('merging is off');
    case 'delete_there': {
      const there = world.there.get(path);
      assert.ok(!world.here.has(path) && !world.unknown.has(path), `${path} is there or not known`);
      assert.ok(!isThereAndIgnored(world, path), `${path} exists and is ignored under this name`);
      assert.deepEqual([there?.version, there?.hash], [operation.remote.version, operation.remote.hash]);
      assert.ok(!world.isEmptyBase || world.base.has(path), 'nothing is deleted on first contact');
      assert.ok(world.base.has(path));
      world.there.delete(path);
      world.base.delete(path);
      return;
    }
    case 'move_there': {
      const there = world.there.get(operation.from);
      assert.deepEqual([there?.version, there?.hash], [operation.remote.version, operation.remote.hash]);
      const row = world.base.get(operation.from);
      assert.ok(there !== undefined && row !== undefined);
      if (operation.local !== null)
        checkHere(world, path, { kind: 'file', stamp: operation.local.stamp, hash: operation.local.hash });
      world.there.delete(operation.from);
      checkFreeThere(world, path);
      world.versions.set(path, [...(world.versions.get(operation.from) ?? [])]);
      world.store(path, there, 1, operation.from);
      world.base.delete(operation.from);
      const isSame = operation.local?.hash === row.hash;
      const half =
        isSame && operation.local !== null
          ? { stamp: operation.local.stamp, object: operation.local.object }
          : {};
      world.base.set(path, {
        ...row,
        version: there.hash === row.hash ? 1 : row.version,
        localName: operation.local?.localName ?? null,
        ...half,
      });
      return;
    }
    case 'move_folder_there':
      for (const [folder, state] of [...world.baseFolders]) {
        if (!isWithin(folder, operation.from)) continue;
        // Ignored entries stay behind, so their folder does as well.
        if (![...world.base.keys()].some((each) => isWithin(each, folder))) world.baseFolders.delete(folder);
        world.baseFolders.set(rebasePath(folder, operation.from, path), state);
      }
      return;
    case 'rename_here': {
      checkHere(world, operation.from, operation.local);
      const isRespelled = world.spelled(path) === world.spelled(operation.from);
      if (!isRespelled) checkHere(world, path, { kind: 'absent' });
      const row = world.base.get(operation.baseFrom);
      assert.ok(row !== undefined);
      respellFolders(world, operation.from, path);
      makeFolders(world, path);
      const file = takeAway(world, operation.from);
      world.here.set(world.spelled(path), file);
      world.base.delete(operation.baseFrom);
      world.base.set(path, { ...row, localName: null });
      return;
    }
    case 'set_aside':
      assert.ok(!world.there.has(path) && world.spelled(path) === path);
      assert.ok(!world.here.has(path) && !world.foldersHere.has(path));
      if (operation.local.kind === 'folder') {
        for (const [file, each] of [...world.here]) {
          if (!isWithin(file, operation.from)) continue;
          assert.ok(!world.unknown.has(file) || world.isIgnored(file));
          world.here.delete(file);
          world.here.set(rebasePath(file, operation.from, path), each);
        }
        for (const [folder, each] of [...world.foldersHere]) {
          if (!isWithin(folder, operation.from)) continue;
          world.foldersHere.delete(folder);
          world.foldersHere.set(rebasePath(folder, operation.from, path), each);
        }
      } else {
        checkHere(world, operation.from, operation.local);
        world.here.set(path, takeAway(world, operation.from));
      }
      return;
    case 'remove_here':
      checkHere(world, path, operation.local);
      assert.ok(world.base.has(path) && !world.there.has(path));
      checkMayGo(world, path, operation.local.hash);
      takeAway(world, path);
      world.base.delete(path);
      return;
    case 'unlink_here':
      checkHere(world, path, operation.local);
      checkMayGo(world, path, operation.local.hash);
      takeAway(world, path);
      world.base.delete(path);
      world.hidden.delete(path);
      return;
    case 'rescue':
      checkHere(world, path, operation.local);
      world.kept.add(operation.local.hash);
      takeAway(world, path);
      world.base.delete(path);
      world.hidden.delete(path);
      return;
    case 'remove_folder_here':
      for (const each of world.here.keys()) {
        if (isWithin(each, path))
          assert.ok(world.isIgnored(each), `${each} was to be gone before its folder`);
      }
      // The folder may now have another form of its name and contain renamed entries.
      if (world.isEmptyFolder(path)) world.foldersHere.delete(path);
      world.baseFolders.delete(path);
      return;
    case 'adopt_folder':
      world.baseFolders.set(path, { object: operation.object });
      return;
    case 'forget_folder':
      world.baseFolders.delete(path);
      return;
  }
}

function checkHere(world: World, path: WorkspacePath, presumed: LocalPresumed): void {
  assert.ok(!world.unknown.has(path), `${path} is not known`);
  const here = world.here.get(world.spelled(path));
  if (presumed.kind === 'absent') {
    assert.equal(here, undefined, `nothing was to be at ${path}`);
    assert.ok(!world.foldersHere.has(world.spelled(path)), `a folder is in the way at ${path}`);
    for (const folder of foldersAbove(path))
      assert.ok(!world.here.has(world.spelled(folder)), `a file is at ${folder}, above ${path}`);
  }
  if (presumed.kind === 'file') assert.equal(`s${here?.stamp}`, presumed.stamp, `another file is at ${path}`);
}

function checkFreeThere(world: World, path: WorkspacePath): void {
  for (const folder of foldersAbove(path))
    assert.ok(!world.there.has(folder), `path_taken: ${folder} above ${path}`);
  for (const each of world.there.keys())
    assert.ok(!isWithin(each, path), `path_taken: ${each} at or below ${path}`);
}

function makeFolders(world: World, path: WorkspacePath): void {
  for (const given of foldersAbove(path)) {
    const folder = world.spelled(given);
    if (!world.foldersHere.has(folder)) world.foldersHere.set(folder, world.object());
  }
}

/** S1: content may disappear only if it is in the base or a version on the server. */
function checkMayGo(world: World, path: WorkspacePath, hash: ContentHash): void {
  const isBase = [...world.base.values()].some((each) => each.hash === hash);
  const isVersion = world.versions.get(path)?.some((each) => each.hash === hash) === true;
  assert.ok(isBase || isVersion, `the content of ${path} was neither in the base nor a version`);
  world.kept.add(hash);
}

function locationHere(world: World, path: WorkspacePath, content: Content): HereFile {
  makeFolders(world, path);
  const here = {
    hash: content.hash,
    sizeBytes: content.sizeBytes,
    object: world.object(),
    stamp: world.stamp(),
  };
  world.here.set(world.spelled(path), here);
  return here;
}

function takeAway(world: World, path: WorkspacePath): HereFile {
  const spelled = world.spelled(path);
  const file = world.here.get(spelled);
  assert.ok(file !== undefined);
  world.here.delete(spelled);
  return file;
}

/** Gives folders on the way of a rename that differ only in the form of their names the form of the new path. */
function respellFolders(world: World, from: WorkspacePath, to: WorkspacePath): void {
  const [before, after] = [foldersAbove(from), foldersAbove(to)];
  for (const [depth, folder] of after.entries()) {
    const old = before[depth];
    if (old === undefined || diskKey(old, world.traits) !== diskKey(folder, world.traits)) return;
    const spelled = world.spelled(old);
    if (spelled === folder) continue;
    const trees: readonly Map<WorkspacePath, unknown>[] = [world.here, world.foldersHere];
    for (const tree of trees) {
      for (const [path, each] of [...tree]) {
        if (!isWithin(path, spelled)) continue;
        tree.delete(path);
        tree.set(rebasePath(path, spelled, folder), each);
      }
    }
  }
}

/** Whether the path is ignored on disk. A file at a parent path contains nothing, so that does not count. */
function isThereAndIgnored(world: World, path: WorkspacePath): boolean {
  const spelled = world.spelled(path);
  return world.isIgnored(spelled) && !foldersAbove(spelled).some((folder) => world.here.has(folder));
}
