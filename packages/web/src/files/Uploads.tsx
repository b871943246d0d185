import { lazy, Suspense } from 'react';
import { nameOf } from '../api/listing-index.ts';
import { FullWorkspace } from '../saving/FullWorkspace.tsx';
import { useStore } from '../store/store.ts';
import { files as texts } from '../text/en/files.ts';
import { visibleName } from '../text/visible-name.ts';
import { IconButton } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { InSlot } from '../ui/Slot.tsx';
import { shownPath } from './folder-contents.ts';
import {
  isOpen,
  mayRetry,
  questionOf,
  type UploadFailure,
  type UploadLine,
  type UploadPhase,
  uploadedCount,
} from './upload-queue.ts';
import { uploadsOf } from './uploads.ts';
import './uploads.css';

const NameTakenDialog = lazy(async () => ({
  default: (await import('./NameTakenDialog.tsx')).NameTakenDialog,
}));

/** Lines rendered at once, starting with those that need a decision or are in progress. */
const linesShownMax = 60;

/** The tray of uploads into the workspace, on every page. */
export function Uploads({ workspaceId }: { readonly workspaceId: string }) {
  const uploads = uploadsOf(workspaceId);
  const queue = useStore(uploads.queue);
  const { lines } = queue;
  if (lines.length === 0) return null;
  const question = questionOf(queue);
  const shown = linesShown(lines);
  return (
    <>
      <InSlot name="uploads">
        <section className="uploads" aria-label={texts.uploads}>
          <div className="uploads-head">
            <p className="uploads-count">{texts.uploadedOf(uploadedCount(queue), lines.length)}</p>
            <IconButton icon="close" name={texts.close} onClick={uploads.clear} />
          </div>
          {lines.some(({ phase }) => phase.kind === 'failed' && phase.failure.kind === 'full') ? (
            <div className="uploads-full">
              <FullWorkspace workspaceId={workspaceId} />
            </div>
          ) : null}
          {/* biome-ignore lint/a11y/noRedundantRoles: without bullets some screen readers announce no list */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard */}
          <ul role="list" className="uploads-lines" tabIndex={0}>
            {shown.map((line) => (
              <Line key={line.id} line={line} uploads={uploads} />
            ))}
          </ul>
          {shown.length < lines.length ? (
            <p className="uploads-more">{texts.moreUploads(lines.length - shown.length)}</p>
          ) : null}
        </section>
      </InSlot>
      {question === null ? null : (
        <Suspense fallback={null}>
          <NameTakenDialog key={question.line.id} {...question} uploads={uploads} />
        </Suspense>
      )}
    </>
  );
}

function linesShown(lines: readonly UploadLine[]): readonly UploadLine[] {
  if (lines.length <= linesShownMax) return lines;
  const open = lines.filter(({ phase }) => isOpen(phase) || phase.kind === 'failed');
  return open.length >= linesShownMax ? open.slice(0, linesShownMax) : lines.slice(-linesShownMax);
}

function Line({
  line,
  uploads,
}: {
  readonly line: UploadLine;
  readonly uploads: ReturnType<typeof uploadsOf>;
}) {
  const { id, phase, size } = line;
  const name = visibleName(nameOf(shownPath(line.path)));
  const sent = phase.kind === 'sending' ? Math.min(1, phase.sentBytes / Math.max(1, size)) : 0;
  return (
    <li className="uploads-line" aria-label={name}>
      <span className="uploads-name" dir="auto" title={visibleName(shownPath(line.path))}>
        {name}
      </span>
      {isOpen(phase) ? (
        <>
          <progress className="uploads-bar" aria-label={name} max={100} value={Math.round(sent * 100)} />
          <IconButton icon="close" name={texts.cancelUpload(name)} onClick={() => uploads.cancel(id)} />
        </>
      ) : (
        <>
          <span className="uploads-state" data-kind={phase.kind}>
            {phase.kind === 'done' || phase.kind === 'same' ? <Icon name="check" size={14} /> : null}
            {phase.kind === 'failed' ? <Icon name="failure" size={14} /> : null}
            {phaseText(phase)}
          </span>
          {mayRetry(phase) ? (
            <IconButton icon="retry" name={texts.retryUpload(name)} onClick={() => uploads.retry(id)} />
          ) : null}
        </>
      )}
    </li>
  );
}

function phaseText(phase: UploadPhase): string {
  switch (phase.kind) {
    case 'done':
      return texts.uploadDone;
    case 'same':
      return texts.uploadSame;
    case 'cancelled':
      return texts.uploadCancelled;
    case 'failed':
      return failureText(phase.failure);
    default:
      return texts.uploadWaiting;
  }
}

function failureText(failure: UploadFailure): string {
  switch (failure.kind) {
    case 'too_large':
      return texts.largerThan(failure.limitBytes);
    case 'full':
      return texts.noRoom;
    case 'refused':
      return failure.message;
  }
}
