import { files as texts } from '../text/en/files.ts';

/** A file that the user chose or dropped, with its path below the target folder. */
export interface ChosenFile {
  readonly relativePath: string;
  readonly file: File;
}

/** The chosen or dropped files, as far as this device could read them. */
export interface Chosen {
  readonly files: readonly ChosenFile[];
  /** Folders without content. */
  readonly emptyFolders: readonly string[];
  readonly unreadable: readonly UnreadableEntry[];
}

/** A file or folder that this device could not read. */
export interface UnreadableEntry {
  readonly relativePath: string;
  /** Why, as a message for the user. */
  readonly reason: string;
}

/** Per tray. For more files, use the sync client. */
export const uploadLinesMax = 10_000;
const depthMax = 64;

export function chosenFiles(list: Iterable<File>): Chosen {
  // Paths in a chosen folder start with its own name.
  const files = [...list].map((file) => ({
    relativePath: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath,
    file,
  }));
  return { files, emptyFolders: [], unreadable: [] };
}

/**
 * Returns the dropped files, and folders with their content. Skips entries that cannot be read. Never rejects.
 * Call it inside the event: the items are gone afterwards.
 */
export function droppedFiles(transfer: DataTransfer): Promise<Chosen> {
  const entries = [...transfer.items]
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry !== null);
  if (entries.length === 0) return Promise.resolve(chosenFiles(transfer.files));
  return readEntries(entries);
}

async function readEntries(entries: readonly FileSystemEntry[]): Promise<Chosen> {
  const files: ChosenFile[] = [];
  const emptyFolders: string[] = [];
  const unreadable: UnreadableEntry[] = [];
  // One more than a tray accepts, so that an excess is noticed.
  const isFull = () => files.length + emptyFolders.length + unreadable.length > uploadLinesMax;

  async function read(entry: FileSystemEntry, folder: string, depth: number): Promise<void> {
    if (isFull()) return;
    const relativePath = folder + entry.name;
    if (depth > depthMax) {
      unreadable.push({ relativePath, reason: texts.tooDeep(depthMax) });
      return;
    }
    try {
      if (isFile(entry)) {
        const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
        files.push({ relativePath, file });
      } else if (isDirectory(entry)) await readFolder(entry, relativePath, depth);
    } catch (error) {
      unreadable.push({ relativePath, reason: whyUnreadable(error) });
    }
  }

  async function readFolder(entry: FileSystemDirectoryEntry, path: string, depth: number): Promise<void> {
    const reader = entry.createReader();
    let isEmpty = true;
    // A reader returns its entries in batches; the last batch is empty.
    for (;;) {
      const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
        reader.readEntries(resolve, reject),
      );
      if (part.length === 0 || isFull()) break;
      isEmpty = false;
      for (const inner of part) await read(inner, `${path}/`, depth + 1);
    }
    if (isEmpty) emptyFolders.push(path);
  }

  for (const entry of entries) await read(entry, '', 0);
  return { files, emptyFolders, unreadable };
}

/** Why this device could not read a file or folder, as a message for the user. */
export function whyUnreadable(error: unknown): string {
  return texts.unreadable(error instanceof Error ? error.message : String(error));
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
