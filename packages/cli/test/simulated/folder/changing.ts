import type { LocalFolder, ReplacedFile } from '../../../src/engine/ports/local-folder.ts';
import { changed, type SimulatedLocation, taken } from './simulated-location.ts';

const junkNames = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);

/** Creates, replaces and renames files and folders on a simulated disk. */
export function changingOnDisk(
  location: SimulatedLocation,
): Pick<
  LocalFolder,
  | 'create'
  | 'replace'
  | 'rename'
  | 'finishRename'
  | 'renameFolder'
  | 'duplicate'
  | 'makeFolder'
  | 'removeFolder'
  | 'flush'
> {
  const {
    disk,
    turn: round,
    options,
    step,
    checkRoot,
    stagingOf,
    findWay,
    makeWay,
    inodeAt,
    findPlanned,
    printOf,
    placed,
    printAt,
    putInPlace: install,
    takeAway,
    freeName,
    trashFile,
    replaced,
    attempt,
  } = location;

  return {
    create: (path, id) =>
      attempt(async () => {
        const made = makeWay(path);
        if ('kind' in made) return made;
        await step('create: put in place');
        const way = findWay(path);
        if (way.kind !== 'clear') return way;
        const print = printAt(stagingOf(id));
        if (!install(stagingOf(id), path)) return taken;
        await step('create: done');
        return placed(path, made, print);
      }),
    replace: (path, id, presumed, alsoAt) =>
      attempt(async () => {
        const from = stagingOf(id);
        const before = findPlanned(path, presumed);
        if ('kind' in before) return before;
        disk.setMode(from, before.mode);
        disk.flush(from);
        const stagedPrint = printAt(from);
        await step('replace: staged is flushed');
        const planned = findPlanned(path, presumed);
        if ('kind' in planned) return planned;
        const print = printOf(planned);
        let old: ReplacedFile | null = null;
        if (alsoAt !== null) {
          if (inodeAt(alsoAt) !== planned) return changed;
          disk.rename(from, path);
        } else {
          const name = freeName('trash', path);
          if (disk.options.hasHardLinks) {
            disk.link(path, trashFile(name));
            await step('replace: old one has its name in the trash');
            if (inodeAt(path) !== planned) {
              disk.unlink(trashFile(name));
              return changed;
            }
            disk.rename(from, path);
          } else {
            if (!takeAway(path, planned, trashFile(name))) return changed;
            await step('replace: old one is in the trash');
            if (!install(from, path)) return changed;
          }
          old = replaced(name, planned, print);
        }
        await step('replace: new one is in place');
        const now = placed(path, [], stagedPrint);
        return now.kind === 'placed' ? { ...now, kind: 'replaced' as const, replaced: old } : now;
      }),
    rename: (from, to, presumed) =>
      attempt(async () => {
        await step('rename: begin');
        const made = makeWay(to);
        if ('kind' in made) return made;
        const planned = findPlanned(from, presumed);
        if ('kind' in planned) return planned;
        const print = printOf(planned);
        const existing = disk.find(to);
        if (existing !== null) {
          const isOtherSpelling =
            existing.kind === 'file' && existing.inode === planned && planned.links === 1;
          if (!isOtherSpelling || from === to) return taken;
          disk.rename(from, to);
          return placed(to, made, print);
        }
        if (disk.options.hasHardLinks) {
          disk.link(from, to);
          await step('rename: has both names');
          const quarantined = stagingOf(options.newId());
          if (inodeAt(to) !== planned) return changed;
          if (!takeAway(from, planned, quarantined)) {
            disk.unlink(to);
            return changed;
          }
          disk.unlink(quarantined);
        } else disk.rename(from, to);
        return placed(to, made, print);
      }),
    finishRename: (from, to) =>
      attempt(async () => {
        await round('finish rename');
        for (const path of [from, to]) {
          const way = findWay(path);
          if (way.kind !== 'clear') return way;
        }
        const [source, target] = [inodeAt(from), inodeAt(to)];
        if (source === null || source !== target || source.links < 2) return changed;
        disk.unlink(from);
        return { kind: 'done' as const };
      }),
    renameFolder: (from, to) =>
      attempt(async () => {
        await round('rename folder');
        const made = makeWay(to);
        if ('kind' in made) return made;
        const way = findWay(from);
        if (way.kind !== 'clear') return way;
        const node = disk.find(from);
        if (node?.kind !== 'folder') return changed;
        const existing = disk.find(to);
        if (existing !== null && existing !== node) return taken;
        disk.rename(from, to);
        return { kind: 'folder' as const, object: disk.objectOf(node), madeFolders: made };
      }),
    duplicate: (from, to, presumed) =>
      attempt(async () => {
        const made = makeWay(to);
        if ('kind' in made) return made;
        const planned = findPlanned(from, presumed);
        if ('kind' in planned) return planned;
        const print = printOf(planned);
        if (disk.find(to) !== null) return taken;
        if (!disk.options.hasHardLinks) {
          disk.writeFile(to, planned.bytes, planned.mode);
          return placed(to, made, printAt(to));
        }
        disk.link(from, to);
        await step('duplicate: has both names');
        const second = inodeAt(to);
        if (second !== null && printOf(second) === print) return placed(to, made, print);
        if (second === planned) disk.unlink(to);
        return changed;
      }),
    makeFolder: (path) =>
      attempt(async () => {
        await round('make folder');
        const made = makeWay(path);
        if ('kind' in made) return made;
        const existing = disk.find(path);
        if (existing !== null && existing.kind !== 'folder') {
          return {
            kind: 'blocked' as const,
            by: existing.kind === 'symlink' ? ('symlink' as const) : ('special_file' as const),
            at: path,
          };
        }
        if (existing === null) disk.makeFolder(path);
        const node = disk.find(path);
        if (node === null) return changed;
        return { kind: 'folder' as const, object: disk.objectOf(node), madeFolders: made };
      }),
    removeFolder: (path) =>
      attempt(async () => {
        await round('remove folder');
        const way = findWay(path);
        if (way.kind !== 'clear') return way;
        if (disk.find(path) === null) return { kind: 'done' as const };
        const names = disk.listNames(path);
        if (!names.every((name) => isJunk(`${path}/${name}`, name))) return { kind: 'not_empty' as const };
        for (const name of names) disk.unlink(`${path}/${name}`);
        disk.removeFolder(path);
        return { kind: 'done' as const };
      }),
    flush: async (paths) => {
      await round('flush');
      checkRoot();
      const there = paths.filter((path) => inodeAt(path) !== null);
      for (const path of there) disk.flush(path);
      return there;
    },
  };

  function isJunk(path: string, name: string): boolean {
    const inode = inodeAt(path);
    if (inode === null) return false;
    const text = new TextDecoder().decode(inode.bytes);
    return junkNames.has(name) || (name === '.keep' && (text === '' || text === '\n'));
  }
}
