const marked = /^(.*) \(conflicted copy \d{4}-\d\d-\d\d \d{6} ([^()]+)\)(?: (\d+))?$/u;

/**
 * Whether a conflicted copy of `original` may have this `path`. It is in the same folder, with its extension,
 * and marked once with time and writer. It has the lowest number whose name is free.
 */
export function isCopyPath(
  path: string,
  original: string,
  writer: string,
  isTaken: (path: string) => boolean,
): boolean {
  const source = split(original);
  const copy = split(path);
  const found = marked.exec(copy.stem);
  if (found === null || copy.folder !== source.folder || copy.extension !== source.extension) return false;
  const [, stem = '', label = '', numeral = '1'] = found;
  if (stem !== (marked.exec(source.stem)?.[1] ?? source.stem) || label !== writer) return false;
  const unnumbered = copy.stem.replace(/ \d+$/, '');
  const number = Number(numeral);
  if (numeral === '1' && copy.stem !== unnumbered) return false;
  for (let lower = 1; lower < number; lower += 1) {
    const name = lower === 1 ? unnumbered : `${unnumbered} ${lower}`;
    if (!isTaken(copy.folder + name + copy.extension)) return false;
  }
  return !isTaken(path);
}

function split(path: string): { readonly folder: string; readonly stem: string; readonly extension: string } {
  const slash = path.lastIndexOf('/') + 1;
  const name = path.slice(slash);
  const dot = name.lastIndexOf('.');
  const end = dot <= 0 ? name.length : dot;
  return { folder: path.slice(0, slash), stem: name.slice(0, end), extension: name.slice(end) };
}
