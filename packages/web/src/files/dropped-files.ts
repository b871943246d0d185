/** A file that a person chose or dropped, with its path below the folder it goes to. */
export interface ChosenFile {
  readonly relativePath: string;
  readonly file: File;
}

/** Of one tray. More than this is work for the sync client. */
export const uploadLinesMax = 10_000;
/** One more than a tray takes, so that too many are noticed. */
const filesMax = uploadLinesMax + 1;
const depthMax = 64;

export function chosenFiles(list: FileList): readonly ChosenFile[] {
  return [...list].slice(0, filesMax).map((file) => ({
    // A chosen folder names its files from itself on.
    relativePath: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath,
    file,
  }));
}

/** What was dropped, folders with all that is in them. The items are gone once the event is over: call it inside. */
export function droppedFiles(transfer: DataTransfer): Promise<readonly ChosenFile[]> {
  const entries = [...transfer.items]
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry !== null);
  if (entries.length === 0) return Promise.resolve(chosenFiles(transfer.files));
  return readEntries(entries);
}

async function readEntries(entries: readonly FileSystemEntry[]): Promise<readonly ChosenFile[]> {
  const files: ChosenFile[] = [];
  async function read(entry: FileSystemEntry, folder: string, depth: number): Promise<void> {
    if (files.length >= filesMax || depth > depthMax) return;
    const relativePath = folder + entry.name;
    if (isFile(entry)) {
      const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
      files.push({ relativePath, file });
    } else if (isDirectory(entry)) {
      const reader = entry.createReader();
      // A reader gives its entries in parts, the last of them empty.
      for (;;) {
        const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
          reader.readEntries(resolve, reject),
        );
        if (part.length === 0 || files.length >= filesMax) return;
        for (const inner of part) await read(inner, `${relativePath}/`, depth + 1);
      }
    }
  }
  for (const entry of entries) await read(entry, '', 0);
  return files;
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
