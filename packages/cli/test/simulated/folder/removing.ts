import type { LocalFolder } from '../../../src/engine/ports/local-folder.ts';
import { changed, hidden, type SimulatedLocation, taken } from './simulated-location.ts';

/** Removes files to the trash and restores them on a simulated disk. */
export function removingOnDisk(
  location: SimulatedLocation,
): Pick<
  LocalFolder,
  'moveToTrash' | 'unlink' | 'rescue' | 'checkTrashed' | 'putBack' | 'dropTrashed' | 'listTrash'
> {
  const {
    disk,
    turn: round,
    step,
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
    moveToTrash: (path, presumed) =>
      attempt(async () => {
        await step('remove: begin');
        const planned = findPlanned(path, presumed);
        if ('kind' in planned) return planned;
        const print = printOf(planned);
        const name = freeName('trash', path);
        if (!takeAway(path, planned, trashFile(name))) return changed;
        await step('remove: is in the trash');
        const old = replaced(name, planned, print);
        return !old.isAsPlanned && install(trashFile(name), path) ? changed : old;
      }),
    unlink: (path, presumed) =>
      attempt(async () => {
        await round('unlink');
        const planned = findPlanned(path, presumed);
        if ('kind' in planned) return planned;
        disk.unlink(path);
        return { kind: 'done' as const };
      }),
    rescue: (path, presumed) =>
      attempt(async () => {
        await round('rescue');
        const planned = findPlanned(path, presumed);
        if ('kind' in planned) return planned;
        const name = freeName('rescued', path);
        disk.rename(path, `${hidden}/rescued/${name}`);
        disk.setMode(`${hidden}/rescued/${name}`, 0o600);
        return { kind: 'rescued' as const, file: `${hidden}/rescued/${name}` };
      }),
    checkTrashed: async ({ file, print }) => {
      const inode = inodeAt(trashFile(file));
      if (inode === null) return 'gone';
      return printOf(inode) === print ? 'as_planned' : 'changed';
    },
    putBack: (file, to) =>
      attempt(async () => {
        await round('put back');
        const made = makeWay(to);
        if ('kind' in made) return made;
        const print = printAt(trashFile(file));
        if (!install(trashFile(file), to)) return taken;
        return placed(to, made, print);
      }),
    dropTrashed: async (file) => {
      if (disk.find(trashFile(file)) !== null) disk.unlink(trashFile(file));
    },
    listTrash: async () =>
      [...disk.walk()].flatMap(({ path, node }) =>
        node.kind === 'file' && path.startsWith(`${hidden}/trash/`)
          ? [{ file: path.slice(`${hidden}/trash/`.length), sizeBytes: node.inode.bytes.length }]
          : [],
      ),
  };
}
