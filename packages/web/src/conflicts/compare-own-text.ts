import type { RunningEngine } from '../saving/run-engine.ts';
import type { ConflictHold } from '../saving/state.ts';
import { createStore } from '../store/store.ts';
import { saving } from '../text/en/saving.ts';
import type { CurrentText, MergeOutcome, TextsToMerge } from '../ui/dialogs.ts';

/** The input of the compare dialog for an open editor; null until the newest version is read. */
export function compareOwnText<Doc>(engine: RunningEngine<Doc>): TextsToMerge | null {
  const first = newestOf(engine);
  if (first === null) return null;
  const current = createStore(first);
  engine.store.subscribe(() => {
    const next = newestOf(engine);
    if (next !== null && next.hash !== current.get().hash) current.set(next);
  });
  const { documents, state } = engine;
  return {
    // Every way to settle the conflict changes the base.
    key: `${engine.workspaceId} ${state.path} ${state.base.hash}`,
    workspaceId: engine.workspaceId,
    path: state.path,
    base: documents.toText(state.base.doc),
    mine: documents.toText(state.doc),
    current,
    save: (text, left) => {
      engine.notify({ kind: 'chosen', choice: { kind: 'merged', doc: documents.fromText(text), left } });
      return outcomeOf(engine, left.hash);
    },
  };
}

/** Waits until the engine has sent the merged text or reports a problem. */
function outcomeOf<Doc>(engine: RunningEngine<Doc>, leftHash: string): Promise<MergeOutcome> {
  return new Promise((resolve) => {
    const look = () => {
      const { hold } = engine.state;
      const outcome = outcomeSoFar(hold?.kind === 'conflict' ? hold : null, leftHash);
      if (outcome === null) return;
      unsubscribe();
      resolve(outcome);
    };
    const unsubscribe = engine.store.subscribe(look);
    look();
  });
}

function outcomeSoFar<Doc>(hold: ConflictHold<Doc> | null, leftHash: string): MergeOutcome | null {
  if (hold === null) return { kind: 'saved' };
  if (hold.theirs !== null && hold.theirs.hash !== leftHash) return { kind: 'moved_on' };
  if (hold.rejectedFor !== null) return { kind: 'refused', message: errorText(hold.rejectedFor) };
  return null;
}

function errorText(reason: NonNullable<ConflictHold<unknown>['rejectedFor']>): string {
  switch (reason.kind) {
    case 'too_large':
      return saving.tooLarge(reason.limitBytes);
    case 'full':
      return saving.full;
    case 'read_only':
      return saving.readOnly;
    case 'message':
      return saving.refused(reason.message);
  }
}

function newestOf<Doc>({ state: { hold }, documents }: RunningEngine<Doc>): CurrentText | null {
  if (hold?.kind !== 'conflict' || hold.theirs === null) return null;
  const { version, hash, doc, who } = hold.theirs;
  return { version, hash, text: documents.toText(doc), who: who ?? saving.somebody };
}
