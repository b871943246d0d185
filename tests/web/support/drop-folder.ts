/** Drops a folder of small files on an element, as the system's file manager does. Runs in the page. */
export function dropFolder({
  selector,
  folder,
  count,
}: {
  selector: string;
  folder: string;
  count: number;
}): void {
  const files = Array.from({ length: count }, (_, i) => {
    const name = `${String(i).padStart(2, '0')}.txt`;
    const file = new File([`file ${i}`], name);
    return { isFile: true, isDirectory: false, name, file: (resolve: (file: File) => void) => resolve(file) };
  });
  let given = false;
  const entry = {
    isFile: false,
    isDirectory: true,
    name: folder,
    createReader: () => ({
      readEntries: (resolve: (entries: unknown[]) => void) => {
        resolve(given ? [] : files);
        given = true;
      },
    }),
  };
  const transfer = new DataTransfer();
  transfer.items.add(new File(['x'], folder));
  const target = document.querySelector(selector);
  for (const type of ['dragover', 'drop']) {
    const event = new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: transfer });
    Object.defineProperty(event, 'dataTransfer', {
      value: {
        types: ['Files'],
        items: [{ webkitGetAsEntry: () => entry }],
        files: [],
        dropEffect: 'none',
        setData: () => {},
      },
    });
    target?.dispatchEvent(event);
  }
}
