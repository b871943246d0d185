import type { WorkspacePath } from '@stoa/core';
import type { ChangeRow } from '../ports/changes.ts';

/** The event that a file left a path. */
export interface Departure {
  readonly seq: number;
  readonly isUndone: boolean;
  readonly isMove: boolean;
}

interface Leaving extends Departure {
  /** Whether the actor had changed the file that left. */
  readonly wasTouched: boolean;
}

/**
 * Follows the files that one actor changed through the changes that a viewer sees, in seq order. A moved file is found
 * at its current path; a path at which the actor deleted a file also counts as changed.
 */
export class TouchedLocations {
  readonly #touched = new Set<WorkspacePath>();
  readonly #departures = new Map<WorkspacePath, Leaving[]>();
  /**
   * The number of files that the actor deleted at each path, counted incrementally: one path may be left tens of
   * thousands of times.
   */
  readonly #deletions = new Map<WorkspacePath, number>();
  readonly #isUndone: (change: ChangeRow) => boolean;

  constructor(isUndone: (change: ChangeRow) => boolean) {
    this.#isUndone = isUndone;
  }

  add(change: ChangeRow): void {
    switch (change.op) {
      case 'write':
      case 'restore':
      case 'conflict':
        if (this.#isUndone(change)) this.#touched.add(change.path);
        break;
      case 'delete':
        this.#leave(change);
        break;
      case 'move':
        this.#arrive(change);
        break;
      case 'access_granted':
      case 'access_revoked':
      case 'comment_created':
      case 'comment_replied':
      case 'comment_resolved':
      case 'comment_reopened':
        break;
    }
  }

  paths(): readonly WorkspacePath[] {
    return [...this.#touched];
  }

  /** The departures from the path, oldest first. */
  departuresAt(path: WorkspacePath): readonly Departure[] {
    return this.#departures.get(path) ?? [];
  }

  #leave(change: ChangeRow): void {
    const { path, seq } = change;
    const isUndone = this.#isUndone(change);
    const wasTouched = this.#touched.has(path);
    const departures = this.#departures.get(path) ?? [];
    // Not copied: one path may be left tens of thousands of times.
    departures.push({ seq, isUndone, isMove: false, wasTouched });
    this.#departures.set(path, departures);
    if (isUndone) {
      this.#touched.add(path);
      this.#countDeletion(path, 1);
    }
  }

  #countDeletion(path: WorkspacePath, by: 1 | -1): void {
    this.#deletions.set(path, (this.#deletions.get(path) ?? 0) + by);
  }

  /** A move is two records: the deletion of the old path, and this one right after it. */
  #arrive(change: ChangeRow): void {
    const { path, movedFrom, seq } = change;
    const departures = movedFrom === null ? [] : (this.#departures.get(movedFrom) ?? []);
    const last = departures.at(-1);
    if (movedFrom !== null && last?.seq === seq - 1) {
      departures[departures.length - 1] = { ...last, isMove: true };
      if (last.isUndone && !last.isMove) this.#countDeletion(movedFrom, -1);
      if ((this.#deletions.get(movedFrom) ?? 0) === 0) this.#touched.delete(movedFrom);
      if (last.wasTouched) this.#touched.add(path);
    }
    if (this.#isUndone(change)) this.#touched.add(path);
  }
}
