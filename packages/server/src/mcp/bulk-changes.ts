import { fileNameOf, isWithin, type PathPrefix } from '@stoa/core';
import type { FoldedFile } from '../service/feed/fold-changes.ts';

/** One line in a list of changes: a file, or many files of a folder to which one author did the same. */
export type Unit = { readonly kind: 'file'; readonly file: FoldedFile } | Bulk;

interface Bulk {
  readonly kind: 'bulk';
  readonly folder: string;
  readonly files: readonly [FoldedFile, ...FoldedFile[]];
  /** The file that was changed last. */
  readonly last: FoldedFile;
}

/** Minimum number of files in a bulk. */
const bulkMin = 10;
/** Number of folder levels, from the top, that can become a bulk. A path may have hundreds. */
const levelsMax = 8;

/**
 * Groups files into single files and bulks, ordered by the first change of others to each. A bulk is the highest
 * folder in which nothing else happened, or the direct children of a folder. Direct children of `prefix` are always
 * listed, because the caller asked for them.
 */
export function unitsOf(files: readonly FoldedFile[], prefix: PathPrefix): readonly Unit[] {
  const all = new Map<string, number>();
  const alike = new Map<string, number>();
  const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  const looked = files.map((file) => ({ file, act: actOn(file), folders: topFolders(file.path) }));
  for (const { file, act, folders } of looked) {
    for (const folder of folders) {
      count(all, folder);
      count(alike, `${act} ${folder}`);
    }
    count(alike, `${act} ${parentOf(file.path)}/`);
  }
  const folderOf = ({ file, act, folders }: (typeof looked)[number]): string | null => {
    if (act === null) return null;
    const isBelow = (folder: string) => folder !== prefix && folder !== '' && isWithin(folder, prefix);
    const parent = parentOf(file.path);
    const [arrived] = file.kind === 'moved' ? movedFolders(file) : [];
    const whole = folders.filter(isBelow).find((each) => {
      const same = alike.get(`${act} ${each}`) ?? 0;
      if (same < bulkMin || file.kind === 'changed') return false;
      return arrived === undefined ? same === all.get(each) : each === arrived;
    });
    if (whole !== undefined || arrived !== undefined) return whole ?? null;
    return isBelow(parent) && (alike.get(`${act} ${parent}/`) ?? 0) >= bulkMin ? parent : null;
  };
  const units: Unit[] = [];
  const bulks = new Map<string, { readonly folder: string; readonly files: [FoldedFile, ...FoldedFile[]] }>();
  for (const each of looked) {
    const { file, act } = each;
    const folder = folderOf(each);
    const key = `${act} ${folder}`;
    const bulk = bulks.get(key);
    if (folder === null) units.push({ kind: 'file', file });
    else if (bulk === undefined) bulks.set(key, { folder, files: [file] });
    else bulk.files.push(file);
  }
  for (const { folder, files: alikeFiles } of bulks.values()) {
    const last = alikeFiles.reduce((latest, file) => (file.lastSeq > latest.lastSeq ? file : latest));
    units.push({ kind: 'bulk', folder, files: alikeFiles, last });
  }
  return units.sort((a, b) => firstSeqOf(a) - firstSeqOf(b));
}

/** `+ vendor/ 46 new`: the change, without its author. */
export function bulkText({ folder, files }: Bulk): string {
  const [{ kind }] = files;
  const count = files.length;
  if (kind === 'moved') {
    const [, from] = movedFolders(files[0]);
    return `> ${folder}/ ${count} moved from ${from === '' ? 'the root' : `${from}/`}`;
  }
  return `${kind === 'new' ? '+' : kind === 'deleted' ? '-' : '~'} ${folder}/ ${count} ${kind}`;
}

export function filesIn(unit: Unit): number {
  return unit.kind === 'file' ? 1 : unit.files.length;
}

/** The first change of others to the unit. */
export function firstSeqOf(unit: Unit): number {
  return unit.kind === 'file' ? unit.file.firstSeq : unit.files[0].firstSeq;
}

/** Equal for files that can share one line; null for a file that needs its own. */
function actOn(file: FoldedFile): string | null {
  const { kind, authors, comments } = file;
  const [author, ...others] = authors;
  if (author === undefined || others.length > 0 || comments !== null) return null;
  const by = author.actorKeyId ?? author.actorId;
  switch (kind) {
    case 'new':
    case 'changed':
    case 'deleted':
      return `${kind} ${by}`;
    case 'moved':
      return `${kind} ${by} ${movedFolders(file).join(' from ')}`;
    default:
      return null;
  }
}

/** The source and destination folders of a move, without the common end of the two paths. */
function movedFolders({ path, origin }: FoldedFile): readonly [to: string, from: string] {
  let [to, from]: [string, string] = [path, origin ?? ''];
  while (from !== '' && fileNameOf(to) === fileNameOf(from)) [to, from] = [parentOf(to), parentOf(from)];
  return [to, from];
}

function topFolders(path: string): readonly string[] {
  const folders: string[] = [];
  let slash = path.indexOf('/');
  while (slash !== -1 && folders.length < levelsMax) {
    folders.push(path.slice(0, slash));
    slash = path.indexOf('/', slash + 1);
  }
  return folders;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
