import { keepBothPath } from './check-name.ts';
import { uploadLinesMax } from './dropped-files.ts';

/** The file that already exists at a path. */
export interface ExistingFile {
  readonly version: number;
  readonly size: number;
  /** Empty if the list does not say. */
  readonly contentHash: string;
  readonly contentType: string;
  /** Milliseconds since the epoch; 0 if the list does not say. */
  readonly changedAt: number;
}

export type UploadTarget =
  | { readonly kind: 'create' }
  /** Replaces exactly this version. After a later change, the user is asked again. */
  | {
      readonly kind: 'replace';
      readonly version: number;
      readonly contentHash: string;
      /** Content type of the replaced file, which a user may have set. */
      readonly contentType: string;
    };

export type UploadFailure =
  | { readonly kind: 'too_large'; readonly limitBytes: number }
  | { readonly kind: 'full' }
  | { readonly kind: 'refused'; readonly message: string };

export type UploadPhase =
  | { readonly kind: 'waiting'; readonly target: UploadTarget }
  /** Checking whether the bytes equal the existing ones. */
  | { readonly kind: 'comparing'; readonly existing: ExistingFile }
  /** The user must decide about the existing file. */
  | { readonly kind: 'asking'; readonly existing: ExistingFile }
  | { readonly kind: 'chosen'; readonly existing: ExistingFile; readonly choice: TakenChoice }
  | { readonly kind: 'sending'; readonly target: UploadTarget; readonly sentBytes: number }
  | { readonly kind: 'done' }
  | { readonly kind: 'same' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly failure: UploadFailure; readonly mayRetry: boolean };

export interface UploadLine {
  readonly id: number;
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
  readonly size: number;
  readonly phase: UploadPhase;
}

export type TakenChoice = 'skip' | 'keep_both' | 'replace';

export interface UploadQueue {
  readonly lines: readonly UploadLine[];
  /** The choice for all taken names, once the user has applied one to the rest. */
  readonly forTheRest: TakenChoice | null;
  readonly nextId: number;
}

export interface UploadLimits {
  readonly maxFileBytes: number;
  /** Null without a limit. */
  readonly remainingBytes: number | null;
}

export type UploadEvent =
  | {
      readonly kind: 'added';
      readonly files: readonly (Pick<UploadLine, 'path' | 'size' | 'modifiedAt'> & {
        /** Why it cannot be uploaded, if already known. */
        readonly failure?: UploadFailure | null;
        /** An empty folder that already exists. */
        readonly isThere?: boolean;
      })[];
      readonly limits: UploadLimits;
    }
  | { readonly kind: 'compared'; readonly id: number; readonly same: boolean }
  | { readonly kind: 'progressed'; readonly id: number; readonly sentBytes: number }
  | { readonly kind: 'uploaded'; readonly id: number; readonly unchanged: boolean }
  /** The server has a file there that the list did not have, or another version of it. */
  | { readonly kind: 'taken'; readonly id: number; readonly existing: ExistingFile }
  | {
      readonly kind: 'failed';
      readonly id: number;
      readonly failure: UploadFailure;
      readonly mayRetry: boolean;
    }
  | {
      readonly kind: 'chosen';
      readonly id: number;
      readonly choice: TakenChoice;
      readonly forTheRest: boolean;
    }
  | { readonly kind: 'cancelled'; readonly id: number }
  | { readonly kind: 'retried'; readonly id: number };

export type UploadEffect =
  | { readonly kind: 'compare'; readonly id: number }
  | { readonly kind: 'send'; readonly id: number; readonly path: string; readonly target: UploadTarget }
  | { readonly kind: 'abort'; readonly id: number };

export const uploadsAtOnce = 3;

export const emptyQueue: UploadQueue = { lines: [], forTheRest: null, nextId: 1 };

/** Looks up what the list has at a path now. */
type ExistingAt = (path: string) => ExistingFile | null;

/** The state machine of the upload queue. Pure: the caller has the bytes, by line id. */
export function stepUploads(
  queue: UploadQueue,
  event: UploadEvent,
  existingAt: ExistingAt,
): { readonly queue: UploadQueue; readonly effects: readonly UploadEffect[] } {
  const next = advance(receive(queue, event), existingAt);
  return { queue: next, effects: effectsBetween(queue, next) };
}

function receive(queue: UploadQueue, event: UploadEvent): UploadQueue {
  if (event.kind === 'added') return add(queue, event);
  const line = queue.lines.find(({ id }) => id === event.id);
  if (line === undefined) return queue;
  const { phase } = line;
  const become = (changed: UploadPhase) => ({
    ...queue,
    lines: queue.lines.map((other) => (other === line ? { ...line, phase: changed } : other)),
  });

  switch (event.kind) {
    case 'compared':
      if (phase.kind !== 'comparing') return queue;
      return become(event.same ? { kind: 'same' } : { kind: 'asking', existing: phase.existing });
    case 'progressed':
      return phase.kind === 'sending' ? become({ ...phase, sentBytes: event.sentBytes }) : queue;
    case 'uploaded':
      return phase.kind === 'sending' ? become({ kind: event.unchanged ? 'same' : 'done' }) : queue;
    case 'taken':
      return phase.kind === 'sending' ? become(meet(line.size, event.existing)) : queue;
    case 'failed':
      if (!isBusy(phase)) return queue;
      return become({ kind: 'failed', failure: event.failure, mayRetry: event.mayRetry });
    case 'chosen':
      if (phase.kind !== 'asking') return queue;
      return {
        ...become({ kind: 'chosen', existing: phase.existing, choice: event.choice }),
        forTheRest: event.forTheRest ? event.choice : queue.forTheRest,
      };
    case 'cancelled':
      return isOpen(phase) ? become({ kind: 'cancelled' }) : queue;
    case 'retried':
      return mayRetry(phase) ? become({ kind: 'waiting', target: { kind: 'create' } }) : queue;
  }
}

function add(queue: UploadQueue, { files, limits }: Extract<UploadEvent, { kind: 'added' }>): UploadQueue {
  const open = queue.lines.filter(({ phase }) => isOpen(phase));
  const room = Math.max(0, uploadLinesMax - queue.lines.length);
  let remaining = (limits.remainingBytes ?? Infinity) - open.reduce((sum, { size }) => sum + size, 0);
  const lines = files.slice(0, room).map(({ path, size, modifiedAt, ...known }, i): UploadLine => {
    const failure = known.failure ?? failureBefore(size, limits.maxFileBytes, remaining);
    if (failure === null) remaining -= size;
    const phase: UploadPhase =
      failure !== null
        ? { kind: 'failed', failure, mayRetry: failure.kind === 'full' }
        : known.isThere === true
          ? { kind: 'same' }
          : { kind: 'waiting', target: { kind: 'create' } };
    return { id: queue.nextId + i, path, size, modifiedAt, phase };
  });
  return {
    lines: [...queue.lines, ...lines],
    // A choice "for the rest" of an earlier drop does not apply to this one.
    forTheRest: open.length > 0 ? queue.forTheRest : null,
    nextId: queue.nextId + lines.length,
  };
}

/** Detects uploads that the server would reject, so they are not sent. */
function failureBefore(size: number, maxFileBytes: number, remaining: number): UploadFailure | null {
  if (size > maxFileBytes) return { kind: 'too_large', limitBytes: maxFileBytes };
  return size > remaining ? { kind: 'full' } : null;
}

/** Files of equal size may be equal: compare them before asking the user. */
function meet(size: number, existing: ExistingFile): UploadPhase {
  return existing.size === size ? { kind: 'comparing', existing } : { kind: 'asking', existing };
}

/** Applies decisions, then gives free slots to the waiting lines, in order. */
function advance(queue: UploadQueue, existingAt: ExistingAt): UploadQueue {
  let free = uploadsAtOnce - queue.lines.filter(({ phase }) => isBusy(phase)).length;
  const paths = new Set(queue.lines.map(({ path }) => path));
  const isTaken = (path: string) => paths.has(path) || existingAt(path) !== null;

  /** Advances the line by one step, or returns it unchanged if it must wait. */
  function further(line: UploadLine): UploadLine {
    const { phase } = line;
    if (phase.kind === 'asking' && queue.forTheRest !== null) {
      return { ...line, phase: { ...phase, kind: 'chosen', choice: queue.forTheRest } };
    }
    if (phase.kind === 'chosen') {
      const settled = settle(line, phase.choice, phase.existing, isTaken);
      paths.add(settled.path);
      return settled;
    }
    if (phase.kind !== 'waiting' || free <= 0) return line;
    const existing = phase.target.kind === 'create' ? existingAt(line.path) : null;
    const begun: UploadPhase =
      existing === null ? { kind: 'sending', target: phase.target, sentBytes: 0 } : meet(line.size, existing);
    if (isBusy(begun)) free -= 1;
    return { ...line, phase: begun };
  }

  let changed = false;
  const lines = queue.lines.map((line) => {
    // Waiting, asking, chosen, waiting, sending: no line takes more than four steps.
    let current = line;
    for (let i = 0; i < 4; i += 1) current = further(current);
    changed ||= current !== line;
    return current;
  });
  return changed ? { ...queue, lines } : queue;
}

function settle(
  line: UploadLine,
  choice: TakenChoice,
  { version, contentHash, contentType }: ExistingFile,
  isTaken: (path: string) => boolean,
): UploadLine {
  switch (choice) {
    case 'skip':
      return { ...line, phase: { kind: 'cancelled' } };
    case 'replace':
      return {
        ...line,
        phase: { kind: 'waiting', target: { kind: 'replace', version, contentHash, contentType } },
      };
    case 'keep_both':
      return {
        ...line,
        path: keepBothPath(line.path, isTaken),
        phase: { kind: 'waiting', target: { kind: 'create' } },
      };
  }
}

/** Derives the effects to start or abort from the old and new phases. */
function effectsBetween(before: UploadQueue, after: UploadQueue): UploadEffect[] {
  return after.lines.flatMap((line, i): UploadEffect[] => {
    const { id, path, phase } = line;
    const was = before.lines[i]?.phase;
    if (phase === was) return [];
    if (phase.kind === 'comparing') return [{ kind: 'compare', id }];
    if (phase.kind === 'sending' && !(was?.kind === 'sending' && was.target === phase.target)) {
      return [{ kind: 'send', id, path, target: phase.target }];
    }
    if (phase.kind === 'cancelled' && was !== undefined && isBusy(was)) return [{ kind: 'abort', id }];
    return [];
  });
}

/** Whether the line uses one of the upload slots. */
function isBusy({ kind }: UploadPhase): boolean {
  return kind === 'sending' || kind === 'comparing';
}

/** Whether the line may still change without a retry. */
export function isOpen({ kind }: UploadPhase): boolean {
  return (
    kind === 'waiting' || kind === 'asking' || kind === 'chosen' || kind === 'sending' || kind === 'comparing'
  );
}

/** Whether the server has its bytes, sent now or before. */
export function isThere({ kind }: UploadPhase): boolean {
  return kind === 'done' || kind === 'same';
}

export function mayRetry(phase: UploadPhase): boolean {
  return phase.kind === 'cancelled' || (phase.kind === 'failed' && phase.mayRetry);
}

/** The line that the user must decide about now, and how many more are known. */
export function questionOf({
  lines,
}: UploadQueue): { readonly line: UploadLine; readonly others: number } | null {
  const asking = lines.filter(({ phase }) => phase.kind === 'asking');
  const [line] = asking;
  return line === undefined ? null : { line, others: asking.length - 1 };
}

export function uploadedCount({ lines }: UploadQueue): number {
  return lines.filter(({ phase }) => isThere(phase)).length;
}
