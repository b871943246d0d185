import type { UndoInput, UndoneFileRecord } from '@stoa/contract';
import { placeholderName } from '@stoa/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useEffect, useId, useRef, useState } from 'react';
import { fileAddress, folderAddress } from '../api/addresses.ts';
import { client } from '../api/client.ts';
import { folderOf, type Listing, nameOf } from '../api/listing-index.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useListing } from '../api/use-listing.ts';
import { ui } from '../text/en/ui.ts';
import { undoing as texts } from '../text/en/undoing.ts';
import { visibleName } from '../text/visible-name.ts';
import { AppLink } from '../ui/AppLink.tsx';
import { Button } from '../ui/Button.tsx';
import { Dialog, DialogButtons } from '../ui/Dialog.tsx';
import type { ChangesToUndo } from '../ui/dialogs.ts';
import { Field, Select } from '../ui/Field.tsx';
import { FormAlert, LoadFailure, LoadingLines } from '../ui/States.tsx';
import { messageOf } from '../ui/use-task.ts';
import { firstFields, placesAround, sortUndone, undoWish } from './undo-wish.ts';
import './undo-dialog.css';

/** A page has up to 200 files. The preview shows so many pages, and one undoing takes more than anybody's workspace has. */
const previewPagesMax = 25;
const pagesMax = 1000;

type Running =
  | { readonly kind: 'idle'; readonly problem: string | null }
  | { readonly kind: 'running'; readonly files: readonly UndoneFileRecord[] }
  | { readonly kind: 'done'; readonly files: readonly UndoneFileRecord[]; readonly isStopped: boolean };

/** Undoing what one person or key did: since when, up to when and where, first shown and then done. */
export function UndoDialog({
  workspaceId,
  who,
  from,
  onClose,
}: {
  readonly workspaceId: string;
  readonly who: string;
  readonly from: ChangesToUndo;
  onClose(): void;
}) {
  const listing = useListing(workspaceId);
  const known = listing.kind === 'ready' ? listing.listing : null;
  const [fields, setFields] = useState(() => firstFields(from));
  const [running, setRunning] = useState<Running>({ kind: 'idle', problem: null });
  const isStopped = useRef(false);
  const wished = undoWish(from, useDeferredValue(fields));
  const preview = usePreview(workspaceId, wished.kind === 'wish' ? wished.wish : null);

  const undo = async (wish: UndoInput) => {
    const files: UndoneFileRecord[] = [];
    isStopped.current = false;
    setRunning({ kind: 'running', files });
    try {
      let afterPath: string | null = null;
      for (let page = 0; page < pagesMax; page += 1) {
        const answer: Awaited<ReturnType<typeof client.undo>> = await client.undo(workspaceId, {
          ...wish,
          ...(afterPath === null ? {} : { afterPath }),
        });
        files.push(...answer.files);
        afterPath = answer.nextPath;
        if (afterPath === null || isStopped.current) break;
        setRunning({ kind: 'running', files: [...files] });
      }
      setRunning({ kind: 'done', files, isStopped: afterPath !== null });
    } catch (error) {
      const { changed } = sortUndone(files);
      setRunning({ kind: 'idle', problem: texts.failed(changed.length, messageOf(error)) });
      void preview.refetch();
    }
  };

  const title = texts.title(who);
  if (running.kind === 'done') {
    return (
      <Dialog title={title} size="medium" onClose={onClose}>
        <UndoneFiles workspaceId={workspaceId} listing={known} {...running} onClose={onClose} />
      </Dialog>
    );
  }
  const isRunning = running.kind === 'running';
  const { data } = preview;
  const sorted = data === undefined ? null : sortUndone(data.files);
  const problem =
    wished.kind === 'no_since' ? texts.noSince : wished.kind === 'ends_before' ? texts.endsBefore : null;
  return (
    <Dialog
      title={title}
      description={texts.description}
      size="medium"
      dismissible={isRunning ? 'never' : 'by-keyboard'}
      onClose={onClose}
    >
      <form
        className="undo"
        aria-label={title}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isRunning && wished.kind === 'wish' && sorted !== null && sorted.changed.length > 0)
            void undo(wished.wish);
        }}
      >
        <div className="undo-fields">
          <Field
            label={texts.sinceField}
            type="datetime-local"
            step={1}
            value={fields.since}
            readOnly={isRunning}
            onChange={(event) => setFields({ ...fields, since: event.target.value })}
          />
          <Field
            label={texts.untilField}
            description={texts.untilDescription}
            type="datetime-local"
            step={1}
            value={fields.until}
            readOnly={isRunning}
            onChange={(event) => setFields({ ...fields, until: event.target.value })}
          />
        </div>
        <Select
          label={texts.whereField}
          value={fields.where}
          disabled={isRunning}
          onChange={(where) => setFields({ ...fields, where })}
          options={placesAround(from.path).map((place) => ({
            value: place,
            label: place === '' ? texts.wholeWorkspace : visibleName(place),
          }))}
        />
        <section className="undo-preview" aria-label={texts.preview} aria-busy={preview.isFetching}>
          <p role="status" className="undo-summary">
            {problem !== null
              ? ''
              : isRunning
                ? texts.progress(running.files.length, data?.files.length ?? running.files.length)
                : sorted === null
                  ? preview.error === null
                    ? texts.looking
                    : ''
                  : sorted.changed.length + sorted.left.length === 0
                    ? texts.nothing
                    : texts.wouldChange(sorted.changed.length, sorted.left.length)}
          </p>
          {problem !== null ? null : sorted === null ? (
            preview.error === null ? (
              <LoadingLines rows={3} />
            ) : (
              <LoadFailure
                what={texts.preview}
                error={preview.error}
                onRetry={() => void preview.refetch()}
              />
            )
          ) : (
            <>
              <UndoneList
                workspaceId={workspaceId}
                label={texts.left}
                files={sorted.left}
                listing={known}
                isDone={false}
                onClose={onClose}
              />
              <UndoneList
                workspaceId={workspaceId}
                label={texts.changes}
                files={sorted.changed}
                listing={known}
                isDone={false}
                onClose={onClose}
              />
              {data?.isCut === true ? <p className="undo-rest">{texts.andMore}</p> : null}
            </>
          )}
        </section>
        <FormAlert>{problem ?? (running.kind === 'idle' ? running.problem : null)}</FormAlert>
        <DialogButtons>
          {isRunning ? (
            <Button
              onClick={() => {
                isStopped.current = true;
              }}
            >
              {texts.stop}
            </Button>
          ) : (
            <Button onClick={onClose}>{ui.cancel}</Button>
          )}
          <Button
            kind="primary"
            type="submit"
            needsServer
            aria-busy={isRunning}
            disabledBecause={
              problem ??
              (sorted === null || preview.isFetching
                ? texts.looking
                : sorted.changed.length === 0
                  ? texts.nothing
                  : null)
            }
          >
            {texts.action(sorted?.changed.length ?? 0)}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** What undoing would do. Nothing is changed by asking. */
function usePreview(workspaceId: string, wish: UndoInput | null) {
  return useQuery({
    queryKey: queryKeys.undoPreview(workspaceId, wish),
    enabled: wish !== null,
    queryFn: async ({ signal }) => {
      const files: UndoneFileRecord[] = [];
      let afterPath: string | null = null;
      if (wish === null) return { files, isCut: false };
      for (let page = 0; page < previewPagesMax; page += 1) {
        const answer: Awaited<ReturnType<typeof client.undo>> = await client.undo(
          workspaceId,
          { ...wish, dryRun: true, ...(afterPath === null ? {} : { afterPath }) },
          { signal },
        );
        files.push(...answer.files);
        afterPath = answer.nextPath;
        if (afterPath === null) break;
      }
      return { files, isCut: afterPath !== null };
    },
    retry: false,
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** What was done, and what was left alone. */
function UndoneFiles({
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
  // What had the focus is gone with the form.
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

/** So many are listed of one kind. */
const listedMax = 200;

function UndoneList({
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
}): ReactNode {
  if (files.length === 0) return null;
  return (
    <div>
      <h3 className="undo-heading">{label}</h3>
      {/* biome-ignore lint/a11y/noRedundantRoles: Safari takes the role from lists without markers */}
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

/** A link while something is there. What keeps an empty folder in place is that folder to people. */
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
  const place = isFolder ? folderOf(path) : path;
  const shown = <bdi>{visibleName(place)}</bdi>;
  if (listing === null || listing.entryAt(place) === null) return shown;
  const address = isFolder ? folderAddress(workspaceId, place) : fileAddress(workspaceId, place);
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
