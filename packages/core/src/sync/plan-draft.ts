import type { WorkspacePath } from '../workspace-path.ts';
import type { DraftOperation, Verdict } from './decide-path.ts';
import type { Question } from './operations.ts';
import type { SkippedPath, SkipReason } from './skip-reasons.ts';

/** Collects operations with their dependencies, and the verdicts of paths without operations. */
export class PlanDraft {
  readonly #needs = new Map<DraftOperation, Set<DraftOperation>>();
  readonly #neededBy = new Map<DraftOperation, DraftOperation[]>();
  readonly #vacatesHere = new Map<WorkspacePath, DraftOperation>();
  readonly #vacatesThere = new Map<WorkspacePath, DraftOperation>();
  readonly #skipped = new Map<WorkspacePath, SkippedPath>();
  readonly ask: Question[] = [];
  /** One for each decided path, also for those without an operation. */
  readonly verdicts = new Map<WorkspacePath, Verdict>();
  /** Keyed by the folder that was moved locally. The operation is null while files of the folder wait. */
  readonly folderMoves = new Map<
    WorkspacePath,
    { readonly to: WorkspacePath; readonly operation: DraftOperation | null }
  >();
  /** Operations postponed to the next plan because the folder at their path is being emptied. */
  readonly putOff: { readonly operation: DraftOperation; readonly folder: WorkspacePath }[] = [];
  /** Sources of local moves that depend on each other's paths through a folder. */
  readonly entangled: WorkspacePath[] = [];

  operations(): DraftOperation[] {
    return [...this.#needs.keys()];
  }

  has(operation: DraftOperation): boolean {
    return this.#needs.has(operation);
  }

  needsOf(operation: DraftOperation): ReadonlySet<DraftOperation> {
    return this.#needs.get(operation) ?? new Set();
  }

  take(path: WorkspacePath, verdict: Verdict): void {
    this.verdicts.set(path, verdict);
    if (verdict.kind === 'ask') this.ask.push(verdict.question);
    if (verdict.kind === 'left_out') this.leaveOut(path, verdict.reason, verdict.detail);
    if (verdict.kind === 'do') for (const operation of verdict.operations) this.add(operation);
  }

  add(operation: DraftOperation, needs: readonly DraftOperation[] = []): void {
    this.#needs.set(operation, new Set());
    for (const needed of needs) this.need(operation, needed);
    const here = vacatedHere(operation);
    if (here !== null) this.#vacatesHere.set(here, operation);
    const there = vacatedThere(operation);
    if (there !== null) this.#vacatesThere.set(there, operation);
  }

  need(operation: DraftOperation, needed: DraftOperation): void {
    const needs = this.#needs.get(operation);
    if (operation === needed || needs === undefined || needs.has(needed)) return;
    needs.add(needed);
    const others = this.#neededBy.get(needed);
    if (others === undefined) this.#neededBy.set(needed, [operation]);
    else others.push(operation);
  }

  /** Returns the operation that removes the local file at a path. */
  vacatesHere(path: WorkspacePath): DraftOperation | null {
    return this.#vacatesHere.get(path) ?? null;
  }

  vacatesThere(path: WorkspacePath): DraftOperation | null {
    return this.#vacatesThere.get(path) ?? null;
  }

  leaveOut(path: WorkspacePath, reason: SkipReason, detail: string | null): void {
    this.#skipped.set(path, { path, reason, detail });
  }

  skippedPaths(): SkippedPath[] {
    return [...this.#skipped.values()];
  }

  /** Postpones the operation and all that depend on it. */
  drop(operation: DraftOperation): void {
    const dropped = [operation];
    // Each operation is dropped once.
    for (let one = dropped.pop(); one !== undefined; one = dropped.pop()) {
      if (!this.#needs.delete(one)) continue;
      const here = vacatedHere(one);
      if (here !== null && this.#vacatesHere.get(here) === one) this.#vacatesHere.delete(here);
      const there = vacatedThere(one);
      if (there !== null && this.#vacatesThere.get(there) === one) this.#vacatesThere.delete(there);
      dropped.push(...(this.#neededBy.get(one) ?? []));
    }
  }
}

/** Returns the local path that the operation frees. */
export function vacatedHere(operation: DraftOperation): WorkspacePath | null {
  switch (operation.kind) {
    case 'remove_here':
    case 'unlink_here':
    case 'rescue':
    case 'remove_folder_here':
      return operation.path;
    case 'rename_here':
    case 'set_aside':
      return operation.from;
    default:
      return null;
  }
}

/** Returns the server path that the operation frees. */
export function vacatedThere(operation: DraftOperation): WorkspacePath | null {
  switch (operation.kind) {
    case 'delete_there':
      return operation.path;
    case 'move_there':
      return operation.from;
    default:
      return null;
  }
}

/** Returns the server path that the operation creates. */
export function createdThere(operation: DraftOperation): WorkspacePath | null {
  switch (operation.kind) {
    case 'upload':
      return operation.remote.kind === 'absent' ? operation.path : null;
    case 'put_placeholder':
    case 'move_there':
      return operation.path;
    default:
      return null;
  }
}

/** Returns the local path that the operation creates. */
export function createdHere(operation: DraftOperation): WorkspacePath | null {
  switch (operation.kind) {
    case 'download':
      return operation.over.kind === 'absent' ? operation.path : null;
    case 'rename_here':
      return operation.path;
    case 'make_folder':
      return operation.folder;
    default:
      return null;
  }
}

/** Returns all paths that no other operation may touch while this one runs. */
export function touchedPaths(operation: DraftOperation): readonly WorkspacePath[] {
  switch (operation.kind) {
    case 'move_there':
    case 'move_folder_there':
    case 'set_aside':
    case 'carry_base':
      return [operation.from, operation.path];
    case 'rename_here':
      return [...new Set([operation.from, operation.path, operation.baseFrom])];
    case 'make_folder':
    case 'put_placeholder':
      return [operation.path, operation.folder];
    default:
      return [operation.path];
  }
}
