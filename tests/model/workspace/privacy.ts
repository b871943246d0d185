import type { Actor } from './facts.ts';

/** A record of privacy: the nearest one at or above a path decides. */
export interface PrivacyRecord {
  readonly kind: 'file' | 'folder';
  readonly ownerId: string;
  /** Made automatically: it keeps a file private that came out of a private folder. */
  readonly implied: boolean;
}

/** The visibility of paths. */
export class Privacy {
  readonly records = new Map<string, PrivacyRecord>();

  /** The owner of the private item that contains the path, or null. */
  ownerOf(path: string): string | null {
    return this.#decidingRecord(path)?.[1].ownerId ?? null;
  }

  #decidingRecord(path: string): readonly [string, PrivacyRecord] | null {
    const above = [...this.records].filter(([at]) => at === path || path.startsWith(`${at}/`));
    return above.sort(([a], [b]) => b.length - a.length)[0] ?? null;
  }

  isVisible(path: string, viewer: Actor): boolean {
    const ownerId = this.ownerOf(path);
    return ownerId === null || ownerId === viewer.actorId;
  }

  /** A moved file stays as private as before. The move reveals nothing that was private. */
  move(from: string, to: string): void {
    const [at, record] = this.#decidingRecord(from) ?? [null, null];
    if (record === null) return;
    if (at === from) this.records.delete(from);
    if (at === from && !record.implied) this.records.set(to, record);
    else if (this.ownerOf(to) !== record.ownerId) {
      this.records.set(to, { kind: 'file', ownerId: record.ownerId, implied: true });
    }
  }
}
