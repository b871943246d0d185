import type { UndoneFileRecord } from '@stoa/contract';
import { placeholderName } from '@stoa/core';
import { useEffect, useId, useRef } from 'react';
import { fileAddress, folderAddress } from '../api/addresses.ts';
import { folderOf, type Listing, nameOf } from '../api/listing-index.ts';
import { undoing as texts } from '../text/en/undoing.ts';
import { visibleName } from '../text/visible-name.ts';
import { AppLink } from '../ui/AppLink.tsx';
import { Button } from '../ui/Button.tsx';
import { DialogButtons } from '../ui/Dialog.tsx';
import { sortUndone } from './undo-options.ts';

/** The result: changed files, and files left alone. */
export function UndoneFiles({
  workspaceId,
  listing,
  files,
  isStopped,
  onClose,
}: {
  readonly workspaceId: string;
  readonly listing: Listing | null;
  readonly files: readonly UndoneFileRecord[];
  readonly isStopped: boolean;
  onClose(): void;
}) {
  const { changed, left } = sortUndone(files);
  // The focused element disappears with the form.
  const close = useRef<HTMLButtonElement>(null);
  const summaryId = useId();
  useEffect(() => close.current?.focus(), []);
  const list = { workspaceId, listing, isDone: true, onClose };
  return (
    <div className="undo">
      <p role="status" className="undo-summary" id={summaryId}>
        {texts.done(changed.length, left.length)} {isStopped ? texts.stopped : null}
      </p>
      <div className="undo-preview">
        <UndoneList {...list} label={texts.leftAlone} files={left} />
        <UndoneList {...list} label={texts.changed} files={changed} />
      </div>
      <DialogButtons>
        <Button ref={close} kind="primary" aria-describedby={summaryId} onClick={onClose}>
          {texts.close}
        </Button>
      </DialogButtons>
    </div>
  );
}

/** Maximum number of files listed per kind. */
const listedMax = 200;

export function UndoneList({
  workspaceId,
  label,
  files,
  listing,
  isDone,
  onClose,
}: {
  readonly workspaceId: string;
  readonly label: string;
  readonly files: readonly UndoneFileRecord[];
  readonly listing: Listing | null;
  readonly isDone: boolean;
  onClose(): void;
}) {
  if (files.length === 0) return null;
  return (
    <div>
      <h3 className="undo-heading">{label}</h3>
      {/* biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of lists without markers */}
      <ul role="list" aria-label={label} className="undo-files">
        {files.slice(0, listedMax).map((file) => (
          <li key={file.path}>
            <UndonePath workspaceId={workspaceId} path={file.path} listing={listing} onClose={onClose} />{' '}
            <span className="undo-outcome">{outcomeText(file, isDone)}</span>
          </li>
        ))}
      </ul>
      {files.length > listedMax ? (
        <p className="undo-rest">{texts.notListed(files.length - listedMax)}</p>
      ) : null}
    </div>
  );
}

/** A link if the path exists. The placeholder of an empty folder is shown as the folder. */
function UndonePath({
  workspaceId,
  path,
  listing,
  onClose,
}: {
  readonly workspaceId: string;
  readonly path: string;
  readonly listing: Listing | null;
  onClose(): void;
}) {
  const isFolder = nameOf(path) === placeholderName;
  const location = isFolder ? folderOf(path) : path;
  const shown = <bdi>{visibleName(location)}</bdi>;
  if (listing === null || listing.entryAt(location) === null) return shown;
  const address = isFolder ? folderAddress(workspaceId, location) : fileAddress(workspaceId, location);
  return (
    <AppLink to={address} onClick={onClose}>
      {shown}
    </AppLink>
  );
}

function outcomeText(file: UndoneFileRecord, isDone: boolean): string {
  const { outcome, reason, movedFrom, linesAdded = 0, linesRemoved = 0 } = file;
  const said =
    outcome === 'left'
      ? reason === undefined
        ? ''
        : texts.reason(reason)
      : isDone
        ? texts.did(outcome)
        : texts.would(outcome);
  const lines = texts.lines(linesAdded, linesRemoved);
  const moved = movedFrom === undefined ? '' : ` ${texts.movedFrom(visibleName(movedFrom))}`;
  return `${said}${lines === '' ? '' : ` (${lines})`}${moved === '' ? '' : `.${moved}`}`;
}
