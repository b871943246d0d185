import { hash } from 'node:crypto';
import {
  type ContentHash,
  foldersAbove,
  isWithin,
  parseConflictedCopyPath,
  type WorkspacePath,
} from '@stoa/core';
import { parseIgnoreRules } from '../../../src/local/ignore-rules.ts';
import type { SimulatedClient } from '../simulated-client.ts';
import type { SimulatedServer } from '../simulated-server.ts';

export type Oracle = ReturnType<typeof createOracle>;

/** Records every content until its own user overwrites or deletes it. It reports content that is lost before. */
export function createOracle() {
  const existing = new Map<string, string>();
  const repeated = new Set<string>();
  const hashOf = (bytes: Uint8Array) => hash('sha256', bytes, 'hex');
  // A quarantined file there (`aside-`) is a user's own.
  const isFetched = (path: string) => /^\.stoa\/staging\/(?!aside-)[^/]+\.part$/.test(path);
  const kept = (
    clients: readonly SimulatedClient[],
    server: SimulatedServer,
    isSkipped: (path: string) => boolean = () => false,
  ) => {
    const found = new Set<string>(server.allContents());
    for (const { disk } of clients) {
      for (const { path, node } of disk.walk()) {
        if (node.kind === 'file' && !isSkipped(path)) found.add(hashOf(node.inode.bytes));
      }
    }
    return found;
  };
  return {
    stands(bytes: Uint8Array) {
      existing.set(hashOf(bytes), new TextDecoder().decode(bytes).slice(0, 20));
    },
    /** Forgets content that its user overwrites or deletes. */
    gone(node: ReturnType<SimulatedClient['disk']['find']>) {
      if (node?.kind === 'file') existing.delete(hashOf(node.inode.bytes));
    },
    /** Marks bytes that several users may have written independently. */
    repeats(bytes: Uint8Array) {
      repeated.add(hashOf(bytes));
    },
    /**
     * Marks the content of a renamed file if a copy of it exists. The file may be the copy, or it lost and the winning
     * text is not fetched yet. Its text is then also sent from its new path, where it may lose again.
     */
    renames(node: ReturnType<SimulatedClient['disk']['find']>, server: SimulatedServer) {
      if (node?.kind !== 'file') return;
      const hash = hashOf(node.inode.bytes);
      for (const [path, { contentHash }] of server.filesFor('user-c1')) {
        if (contentHash === hash && parseConflictedCopyPath(path) !== null) repeated.add(hash);
      }
    },
    equalCopies: (server: SimulatedServer) => equalCopies(server, repeated),
    /** Forgets content that a power loss may damage. Call it before the power loss. */
    forgetUnflushed({ disk }: SimulatedClient) {
      for (const { node } of disk.walk()) {
        if (node.kind === 'file' && node.inode.flushed !== node.inode.bytes) {
          existing.delete(hashOf(node.inode.bytes));
        }
      }
    },
    /** Forgets content that only the restored server had. A partial download in staging does not count as kept. */
    forgetUnkept(clients: readonly SimulatedClient[], server: SimulatedServer) {
      const found = kept(clients, server, isFetched);
      for (const hash of existing.keys()) if (!found.has(hash)) existing.delete(hash);
    },
    lost(clients: readonly SimulatedClient[], server: SimulatedServer): string[] {
      const found = kept(clients, server);
      return [...existing].flatMap(([hash, text]) =>
        found.has(hash) ? [] : [`lost: ${JSON.stringify(text)}`],
      );
    },
  };
}

const isPlaceholder = (path: string) => path === '.keep' || path.endsWith('/.keep');

/** Returns the differences between a folder and the files that its member sees on the server. */
export async function differences(
  { disk, key, store }: SimulatedClient,
  server: SimulatedServer,
): Promise<string[]> {
  const here = new Map<string, string>();
  const pathOfObject = new Map<string, WorkspacePath>();
  const foldersHere = new Map<string, WorkspacePath>();
  for (const { path: spelled, node } of disk.walk()) {
    const path = spelled.normalize('NFC');
    if (node.kind === 'folder') foldersHere.set(disk.objectOf(node) ?? '', path as WorkspacePath);
    if (node.kind !== 'file' || path.startsWith('.stoa/') || path.endsWith('~')) continue;
    here.set(path, hash('sha256', node.inode.bytes, 'hex'));
    pathOfObject.set(disk.objectOf(node) ?? '', path as WorkspacePath);
  }
  const ownRules = disk.find('.stoa/ignore');
  const rules = parseIgnoreRules({
    shared: null,
    private: ownRules?.kind === 'file' ? new TextDecoder().decode(ownRules.inode.bytes) : null,
  });
  const { base, folders, skipped } = await store().load();
  // The disk has another file whose name differs only in case.
  const isTwin = (path: WorkspacePath) => skipped.get(path)?.reason === 'case_collision';
  const there = new Map<WorkspacePath, ContentHash>();
  for (const [path, { contentHash }] of server.filesFor(key.userId)) there.set(path, contentHash);
  // The server does not report another member's private items, so a local file at such a path waits.
  const isHidden = (path: WorkspacePath) => server.isHidden(path, key.userId);
  const paths = new Set([...(here.keys() as Iterable<WorkspacePath>), ...there.keys()]);
  return [...paths].flatMap((path) => {
    if (isPlaceholder(path) || rules.isIgnored(path, 'file') || here.get(path) === there.get(path)) return [];
    if (!there.has(path)) return isHidden(path) ? [] : [`${key.keyName}: ${path} is only here`];
    if (here.has(path)) return [`${key.keyName}: ${path} differs`];
    return isTwin(path) || waitsElsewhere(path) || waitsWithFolder(path)
      ? []
      : [`${key.keyName}: ${path} is not here`];
  });

  /** Whether the file was renamed locally to a hidden path, or equals one there. The server keeps its old path. */
  function waitsElsewhere(path: WorkspacePath): boolean {
    const known = base.get(path)?.hash;
    if (known !== undefined && known === there.get(path)) {
      for (const [at, hash] of here) if (hash === known && isHidden(at as WorkspacePath)) return true;
    }
    const seen = new Set<WorkspacePath>();
    for (let at: WorkspacePath | undefined = path; at !== undefined && !seen.has(at); ) {
      if (isHidden(at)) return true;
      seen.add(at);
      at = pathOfObject.get(base.get(at)?.object ?? 'none');
    }
    return false;
  }

  /** Whether its folder was renamed locally while another file in it waits. Nothing is then deleted at the old path. */
  function waitsWithFolder(path: WorkspacePath): boolean {
    const known = base.get(path)?.hash;
    if (known === undefined || known !== there.get(path)) return false;
    return foldersAbove(path).some((above) => {
      const to = foldersHere.get(folders.get(above)?.object ?? 'none');
      if (to === undefined || disk.find(above) !== null) return false;
      return [...(here.keys() as Iterable<WorkspacePath>)].some((at) => isWithin(at, to) && isHidden(at));
    });
  }
}

function copiesOn(server: SimulatedServer): WorkspacePath[] {
  return [...server.filesFor('user-c1').keys()].filter((path) => parseConflictedCopyPath(path) !== null);
}

export function copies(server: SimulatedServer): string[] {
  return copiesOn(server).map((path) => `one writer alone got ${path}`);
}

function equalCopies(server: SimulatedServer, repeated: ReadonlySet<string>): string[] {
  const files = server.filesFor('user-c1');
  const seen = new Map<string, string>();
  return copiesOn(server).flatMap((path) => {
    const copy = files.get(path);
    // A copy that was edited later may equal another one.
    if (copy === undefined || copy.version > 1 || repeated.has(copy.contentHash)) return [];
    const key = `${parseConflictedCopyPath(path)?.original} ${copy.contentHash}`;
    const other = seen.get(key);
    seen.set(key, path);
    return other === undefined ? [] : [`the same bytes twice: ${other}, ${path}`];
  });
}
