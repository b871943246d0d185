/** A file or folder on the disk of the user who drops it. */
export type DroppedEntry =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly entries: readonly DroppedEntry[] }
  /** A file or folder that cannot be read. */
  | { readonly name: string; readonly unreadable: 'file' | 'folder' };

/** Drops entries on an element, as the system's file manager does. Runs in the page. */
export function dropTree({
  selector,
  dropped,
}: {
  selector: string;
  dropped: readonly DroppedEntry[];
}): void {
  const failing = (reject: (error: unknown) => void) =>
    reject(new DOMException('A requested file or directory could not be found.', 'NotFoundError'));
  const entryOf = (entry: DroppedEntry): object => {
    const { name } = entry;
    const isDirectory = 'entries' in entry || ('unreadable' in entry && entry.unreadable === 'folder');
    const inner = 'entries' in entry ? entry.entries : [];
    return {
      name,
      isDirectory,
      isFile: !isDirectory,
      file: (resolve: (file: File) => void, reject: (error: unknown) => void) =>
        'text' in entry ? resolve(new File([entry.text], name)) : failing(reject),
      createReader: () => {
        let at = 0;
        return {
          // Two at a time, because browsers return entries in batches.
          readEntries: (resolve: (entries: object[]) => void, reject: (error: unknown) => void) => {
            if ('unreadable' in entry) return failing(reject);
            resolve(inner.slice(at, at + 2).map(entryOf));
            at += 2;
          },
        };
      },
    };
  };
  const transfer = new DataTransfer();
  transfer.items.add(new File(['x'], 'x'));
  for (const type of ['dragover', 'drop']) {
    const event = new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: transfer });
    Object.defineProperty(event, 'dataTransfer', {
      value: {
        types: ['Files'],
        items: dropped.map((entry) => ({ webkitGetAsEntry: () => entryOf(entry) })),
        files: [],
        dropEffect: 'none',
        setData: () => {},
      },
    });
    document.querySelector(selector)?.dispatchEvent(event);
  }
}
