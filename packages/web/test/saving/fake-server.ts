import { createHash } from 'node:crypto';
import type { Precondition } from '../../src/saving/state.ts';
import type { FileServer, PutOptions, PutResult, ServerChange, ServerVersion } from './file-server-suite.ts';

interface StoredVersion extends ServerVersion {
  readonly text: string;
  readonly contentType: string;
}

/** A server in memory. It passes the same suite as the real service. */
export class FakeServer implements FileServer {
  readonly changes: ServerChange[] = [];
  readonly #files = new Map<string, StoredVersion>();
  readonly #history = new Map<string, StoredVersion[]>();
  #copies = 0;
  maxFileBytes = Number.POSITIVE_INFINITY;
  isFull = false;
  isReadOnly = false;

  get paths(): readonly string[] {
    return [...this.#files.keys()];
  }

  get copies(): readonly string[] {
    return this.paths.filter((path) => path.includes('(conflicted copy'));
  }

  textOf(path: string): string | null {
    return this.#files.get(path)?.text ?? null;
  }

  put(path: string, text: string, precondition: Precondition, options: PutOptions = {}): PutResult {
    const { by = 'agent', rejectStale: reject = false, contentType = 'text/markdown' } = options;
    if (this.isReadOnly) return { kind: 'read_only' };
    if (Buffer.byteLength(text) > this.maxFileBytes)
      return { kind: 'too_large', limitBytes: this.maxFileBytes };
    const current = this.#files.get(path);
    const hash = hashOf(text);
    if (current === undefined) {
      if (this.isFull) return { kind: 'full' };
      this.#keep('write', path, { version: 1, hash, text, contentType, by });
      return { kind: 'saved', version: 1, hash, isNew: true };
    }
    if (precondition.kind === 'none') return { kind: 'taken' };
    const isStale = precondition.version !== current.version || precondition.hash !== current.hash;
    if (isStale && hash === current.hash)
      return { kind: 'saved', version: current.version, hash, isNew: false };
    if (isStale && reject) return { kind: 'refused', currentVersion: current.version };
    if (this.isFull) return { kind: 'full' };
    if (isStale)
      return {
        kind: 'kept_aside',
        currentVersion: current.version,
        copyPath: this.#keepCopy(path, text, by),
        hash,
      };
    const version = current.version + 1;
    this.#keep('write', path, { version, hash, text, contentType, by });
    return { kind: 'saved', version, hash, isNew: false };
  }

  read(path: string): StoredVersion | null {
    return this.#files.get(path) ?? null;
  }

  versions(path: string): readonly ServerVersion[] {
    return [...(this.#history.get(path) ?? [])].reverse();
  }

  remove(path: string, by = 'agent'): void {
    const file = this.#require(path);
    this.#files.delete(path);
    this.#record({ op: 'delete', path, version: file.version, hash: null, by });
  }

  move(from: string, to: string, by = 'agent'): void {
    const file = { ...this.#require(from), version: 1, by };
    this.remove(from, by);
    this.#files.set(to, file);
    this.#history.set(to, [...(this.#history.get(from) ?? []), file]);
    this.#record({ op: 'move', path: to, version: 1, hash: file.hash, movedFrom: from, by });
  }

  restore(path: string, version: number, by = 'agent'): void {
    const old = this.versions(path).find((one) => one.version === version) as StoredVersion | undefined;
    if (old === undefined) throw new Error(`no version ${version} of ${path}`);
    const next = (this.#files.get(path)?.version ?? 0) + 1;
    this.#keep('restore', path, { ...old, version: next, by });
  }

  revoke(path: string): void {
    this.#record({ op: 'access_revoked', path, version: null, hash: null, by: 'agent' });
  }

  /** Rewrites a file on its current version, by default as the agent. */
  rewrite(path: string, change: (text: string) => string, by = 'agent'): void {
    const { version, hash, text } = this.#require(path);
    this.put(path, change(text), { kind: 'version', version, hash }, { by });
  }

  #keepCopy(path: string, text: string, by: string): string {
    const hash = hashOf(text);
    const same = this.copies.find(
      (copy) => this.#files.get(copy)?.hash === hash && copy.startsWith(path.replace(/\.md$/, '')),
    );
    if (same !== undefined) return same;
    this.#copies += 1;
    const copy =
      path.replace(/\.md$/, '') +
      ` (conflicted copy 2026-11-20 1430${String(this.#copies).padStart(2, '0')} ${by}).md`;
    this.#keep('conflict', copy, { version: 1, hash, text, contentType: 'text/markdown', by });
    return copy;
  }

  #keep(op: 'write' | 'restore' | 'conflict', path: string, version: StoredVersion): void {
    this.#files.set(path, version);
    this.#history.set(path, [...(this.#history.get(path) ?? []), version]);
    this.#record({
      op,
      path,
      version: version.version,
      hash: op === 'conflict' ? null : version.hash,
      by: version.by,
    });
  }

  #record(change: Omit<ServerChange, 'seq'>): void {
    this.changes.push({ ...change, seq: this.changes.length + 1 });
  }

  #require(path: string): StoredVersion {
    const file = this.#files.get(path);
    if (file === undefined) throw new Error(`nothing at ${path}`);
    return file;
  }
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
