import { holdConflict } from './conflict.ts';
import { noDraft } from './local-text.ts';
import { type Draft, Step, type Stepped } from './messages.ts';
import { startMerge } from './reading-theirs.ts';
import { type Documents, type FileText, type State, saveAfterMs, type Theirs } from './state.ts';
import { finish } from './step.ts';

export interface OpenedFile<Doc> {
  readonly path: string;
  readonly contentType: string;
  readonly file: FileText<Doc>;
}

/** A draft whose base is the newest version that it is known to include: a save that landed before the page closed. */
export interface FoundDraft<Doc> extends Draft<Doc> {
  /** Of the bytes of its text. */
  readonly hash: string;
  /** The text of the base; null if the server no longer has that version. */
  readonly baseDoc: Doc | null;
  /** Author of the file's current version, if its text differs. */
  readonly fileBy: string | null;
}

export function openFile<Doc>({ path, contentType, file }: OpenedFile<Doc>): State<Doc> {
  return {
    path,
    contentType,
    base: file,
    doc: file.doc,
    generation: 0,
    sending: null,
    unsureSince: null,
    foreign: null,
    reading: null,
    merging: null,
    link: { kind: 'up' },
    hold: null,
    draft: noDraft,
    dueAt: null,
    dirtySince: null,
    retryAt: null,
    failures: 0,
    races: 0,
    misses: 0,
    rereads: 0,
    known: [{ version: file.version, hash: file.hash }],
    feedSeq: file.seq,
    pendingDelete: null,
    mayClose: false,
    isClosing: false,
    isLeft: false,
    wasAsked: false,
    nextId: 1,
    timerAt: null,
  };
}

/**
 * Opens a file for which this device kept a text. `isBack`: that text is in the editor again. It never overwrites
 * changes that others have saved since: they are merged, or it becomes a conflict.
 */
export function openWithDraft<Doc>(
  opened: OpenedFile<Doc>,
  draft: FoundDraft<Doc>,
  nowMs: number,
  docs: Documents<Doc>,
): Stepped<Doc> & { readonly isBack: boolean } {
  const { file } = opened;
  const step = new Step(openFile(opened), nowMs, docs);
  const stored = { ...noDraft, storedGeneration: 1 };
  // The server has it, as the newest version or an earlier one.
  if (draft.hash === file.hash || draft.hash === draft.baseHash) {
    step.do({ kind: 'drop_draft' });
    return { ...finish(step), isBack: false };
  }
  step.set({ doc: draft.doc, generation: 1, draft: stored, contentType: draft.contentType });
  // `sentHash`: the page closed after a PUT had landed, but before its response.
  if (draft.baseHash === file.hash || draft.sentHash === file.hash) {
    step.set({ dirtySince: nowMs, dueAt: nowMs + saveAfterMs });
    return { ...finish(step), isBack: true };
  }
  const theirs: Theirs<Doc> = { ...file, who: draft.fileBy };
  const base = {
    version: draft.baseVersion,
    hash: draft.baseHash,
    doc: draft.baseDoc ?? file.doc,
    seq: file.seq,
  };
  step.set({ base, dirtySince: nowMs, dueAt: nowMs + saveAfterMs });
  if (draft.copy === null && draft.baseDoc !== null) startMerge(step, theirs);
  else {
    const doc = draft.copy?.hash === draft.hash ? draft.doc : null;
    // Without the base text there is nothing to merge by, only two texts to compare.
    holdConflict(step, { theirs, copy: draft.copy === null ? null : { ...draft.copy, doc } });
  }
  return { ...finish(step), isBack: true };
}
