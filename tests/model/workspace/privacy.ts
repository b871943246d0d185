import type { Actor } from './facts.ts';

/** What is private: the nearest of these at or above a path decides over it. */
export interface PrivacyRecord {
  readonly kind: 'file' | 'folder';
  readonly ownerId: string;
  /** Nobody asked for it: it keeps a file private that came out of a private folder. */
  readonly implied: boolean;
}

/** Who may see what. */
export class Privacy {
  readonly records = new Map<string, PrivacyRecord>();

  /** Where the path lies in something private, whose. */
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

  /** A moved file stays as private as it was; nothing that was private is seen on the way. */
  carry(from: string, to: string): void {
    const [at, record] = this.#decidingRecord(from) ?? [null, null];
    if (record === null) return;
    if (at === from) this.records.delete(from);
    if (at === from && !record.implied) this.records.set(to, record);
    else if (this.ownerOf(to) !== record.ownerId) {
      this.records.set(to, { kind: 'file', ownerId: record.ownerId, implied: true });
    }
  }
}
