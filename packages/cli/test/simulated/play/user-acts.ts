import type { SimulatedClient } from '../simulated-client.ts';
import type { Stage } from './stage.ts';

/** Performs one random user action in a folder. */
export function userActs(stage: Stage, client: SimulatedClient): void {
  const { random, now, server, oracle, newContent, names } = stage;
  const { disk, key } = client;
  const say = (what: string) => stage.say(`${now()} ${key.keyName} user ${what}`);
  const { files, folders: kept } = existing(client);
  const newPath = () => random.pick(names.folders) + random.pick(names.files);
  const file = files.length === 0 ? null : random.pick(files);
  const folder = kept.length === 0 ? null : random.pick(kept);
  const act = random.below(10);
  if (file === null || act < 3) {
    const path = newPath();
    say(`writes ${path}`);
    write(stage, client, path);
  } else if (act < 5) {
    say(`edits ${file}`);
    write(stage, client, file);
  } else if (act === 5) {
    say(`deletes ${file}`);
    oracle.gone(disk.find(file));
    disk.unlink(file);
  } else if (act === 6 || act === 7) {
    const to = newPath();
    const above = aboveOf(to);
    const isWayClear = above === '' || disk.find(above)?.kind === 'folder';
    if (!isWayClear || disk.find(to)?.kind === 'folder' || file === to) return;
    say(`renames ${file} to ${to}`);
    if (disk.find(to) !== disk.find(file)) oracle.gone(disk.find(to));
    oracle.renames(disk.find(file), server);
    disk.rename(file, to);
  } else if (act === 8) {
    // Saves as editors do: a new file replaces the old one.
    const temporary = `${file}.tmp~`;
    const bytes = newContent();
    say(`saves ${file}`);
    disk.writeFile(temporary, bytes);
    oracle.gone(disk.find(file));
    oracle.stands(bytes);
    disk.rename(temporary, file);
  } else if (folder !== null) {
    const to = `moved-${random.below(4)}`;
    if (disk.find(to) !== null || `${to}/`.startsWith(`${folder}/`)) return;
    say(`renames folder ${folder} to ${to}`);
    disk.rename(folder, to);
  }
}

/** Performs one rare user action. */
export function userActsRarely(stage: Stage, client: SimulatedClient): void {
  const { random, now, server, oracle, newContent, names } = stage;
  const { disk, key } = client;
  const say = (what: string) => stage.say(`${now()} ${key.keyName} user ${what}`);
  const { files, folders: kept } = existing(client);
  const folder = kept.length === 0 ? null : random.pick(kept);
  const [file, other] = [files, files].map((all) => (all.length === 0 ? null : random.pick(all)));
  const act = random.below(7);
  if (act === 0) {
    const path = random.pick(names.folders) + random.pick(['new', 'docs', 'empty']);
    if (disk.find(path) !== null || disk.find(aboveOf(path))?.kind !== 'folder') return;
    say(`makes folder ${path}`);
    disk.makeFolder(path);
  } else if (act === 1 && folder !== null) {
    say(`deletes folder ${folder}`);
    for (const path of files) if (path.startsWith(`${folder}/`)) oracle.gone(disk.find(path));
    disk.remove(folder);
  } else if (file == null || other == null) return;
  else if (act === 2) {
    say(`truncates ${file}`);
    const node = disk.find(file);
    if (node?.kind !== 'file') return;
    oracle.gone(node);
    const rest = node.inode.bytes.slice(0, random.below(2) === 0 ? 0 : 5);
    disk.writeFile(file, rest);
    oracle.repeats(rest);
  } else if (act === 3) {
    if (file === other) return;
    say(`swaps ${file} and ${other}`);
    for (const each of [file, other]) oracle.renames(disk.find(each), server);
    disk.rename(file, 'swapped~');
    disk.rename(other, file);
    disk.rename('swapped~', other);
  } else if (act === 4) {
    // Saves as vim does: renames the old file and deletes it after writing the new one.
    say(`saves ${file} beside a backup`);
    disk.rename(file, `${file}~`);
    write(stage, client, file);
    oracle.gone(disk.find(`${file}~`));
    disk.unlink(`${file}~`);
  } else if (act === 5) {
    say(`deletes and writes ${file}`);
    oracle.gone(disk.find(file));
    disk.unlink(file);
    write(stage, client, file);
  } else {
    // Copies a file, as a file manager does: the same bytes twice.
    const to = `${file}.copy`;
    const node = disk.find(file);
    if (node?.kind !== 'file' || disk.find(to) !== null) return;
    say(`copies ${file}`);
    disk.writeFile(to, newContent());
    disk.writeFile(to, node.inode.bytes);
    oracle.repeats(node.inode.bytes);
  }
}

function write({ oracle, newContent }: Stage, { disk }: SimulatedClient, path: string): void {
  const above = aboveOf(path);
  if (above !== '') {
    if (disk.find(above) === null) disk.makeFolders(above);
    if (disk.find(above)?.kind !== 'folder') return;
  }
  if (disk.find(path)?.kind === 'folder') return;
  const bytes = newContent();
  oracle.gone(disk.find(path));
  disk.writeFile(path, bytes);
  oracle.stands(bytes);
}

function existing({ disk }: SimulatedClient): { files: string[]; folders: string[] } {
  const all = [...disk.walk()];
  return {
    files: all.flatMap(({ path, node }) =>
      node.kind === 'file' && !path.startsWith('.stoa/') ? [path] : [],
    ),
    folders: all.flatMap(({ path, node }) =>
      node.kind === 'folder' && path !== '.stoa' && !path.startsWith('.stoa/') ? [path] : [],
    ),
  };
}

const aboveOf = (path: string) => path.split('/').slice(0, -1).join('/');
