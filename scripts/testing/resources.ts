import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { readClaims } from '../../tests/conformance/read-claims.ts';

/** The folders in which a resource has a folder of its own. */
const roomsOfResources = ['packages/server/src/service', 'packages/server/src/http/routes'];
/** Words in names of folders and files that differ from the word in the requirements. */
const otherWords: Readonly<Record<string, string>> = {
  anchoring: 'comment',
  anchor: 'comment',
  auditing: 'audit',
  auth: 'account',
  blob: 'file',
  change: 'feed',
  'content-search': 'search-content',
  deleting: 'file',
  exporting: 'workspace',
  'front-matter': 'file',
  listing: 'file',
  matter: 'file',
  me: 'account',
  people: 'account',
  reading: 'file',
  replies: 'comment',
  theme: 'workspace',
  visibility: 'privacy',
  writing: 'file',
};

/** The resources of the interface, with the black-box tests of each. */
export interface Resources {
  /** The resources of a source file, by the words of its path. */
  readonly of: (file: string) => readonly string[];
  readonly testFiles: (resource: string) => readonly string[];
  /** The folders of resources, each with its word. */
  readonly folders: ReadonlyMap<string, string>;
}

/**
 * Derives the resources. A resource is a folder under `service` or `http/routes`, or the first word of requirement ids.
 * A test file belongs to it by its name or by a claimed id.
 */
export async function readResources(testFiles: readonly string[]): Promise<Resources> {
  const folders = new Map<string, string>();
  for (const room of roomsOfResources) {
    for (const entry of await readdir(room, { withFileTypes: true })) {
      if (entry.isDirectory()) folders.set(`${room}/${entry.name}`, wordOf(entry.name));
    }
  }
  const { filesById } = await readClaims('tests');
  const filesByWord = new Map<string, Set<string>>();
  const add = (word: string, file: string) => {
    filesByWord.set(word, (filesByWord.get(word) ?? new Set()).add(file));
  };
  for (const [id, files] of filesById) {
    const [first = '', second = ''] = id.split('.');
    for (const file of files) add(wordOf(first === 'mcp' ? second : first), `tests/${file}`);
  }
  const known = new Set([...folders.values(), ...filesByWord.keys()]);
  for (const file of testFiles) {
    for (const word of wordsOf(basename(file)).filter((each) => known.has(each))) add(word, file);
  }
  return {
    folders,
    of: (file) => wordsOf(file).filter((word) => filesByWord.has(word)),
    testFiles: (resource) => [...(filesByWord.get(resource) ?? [])].sort(),
  };
}

function wordsOf(path: string): readonly string[] {
  return [...new Set(path.split(/[/.-]/).map(wordOf))];
}

function wordOf(name: string): string {
  const word = name.replace(/s$/, '');
  return otherWords[name] ?? otherWords[word] ?? word;
}
