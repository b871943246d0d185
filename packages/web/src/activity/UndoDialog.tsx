import type { UndoInput, UndoneFileRecord } from '@stoa/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { client } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useListing } from '../api/use-listing.ts';
import { ui } from '../text/en/ui.ts';
import { undoing as texts } from '../text/en/undoing.ts';
import { visibleName } from '../text/visible-name.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog, DialogButtons } from '../ui/Dialog.tsx';
import type { ChangesToUndo } from '../ui/dialogs.ts';
import { Field, Select } from '../ui/Field.tsx';
import { FormAlert, LoadFailure, LoadingLines } from '../ui/States.tsx';
import { useSettled } from '../ui/use-settled.ts';
import { messageOf } from '../ui/use-task.ts';
import { UndoneFiles, UndoneList } from './UndoneFiles.tsx';
import { firstFields, locationsAround, sortUndone, undoOptions } from './undo-options.ts';
import './undo-dialog.css';

/** Limits of pages with up to 200 files. The preview stops early; the undo itself suffices for any workspace. */
const previewPagesMax = 25;
const pagesMax = 1000;
/** Debounce: each edited part of a time makes a new value, and the server is asked once. */
const settleMs = 300;

type Running =
  | { readonly kind: 'idle'; readonly problem: string | null }
  | { readonly kind: 'running'; readonly files: readonly UndoneFileRecord[] }
  | { readonly kind: 'done'; readonly files: readonly UndoneFileRecord[]; readonly isStopped: boolean };

/** Undoes the changes of one user or key in a period and a folder, after a preview. */
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
  useEffect(
    () => () => {
      // After unmounting, there is no Stop button, so stop the undo.
      isStopped.current = true;
    },
    [],
  );
  const settled = useSettled(fields, settleMs);
  const requested = undoOptions(from, settled);
  const preview = usePreview(workspaceId, requested.kind === 'options' ? requested.options : null);

  const undo = async (options: UndoInput) => {
    const files: UndoneFileRecord[] = [];
    isStopped.current = false;
    setRunning({ kind: 'running', files });
    try {
      let afterPath: string | null = null;
      for (let page = 0; page < pagesMax; page += 1) {
        const response: Awaited<ReturnType<typeof client.undo>> = await client.undo(workspaceId, {
          ...options,
          ...(afterPath === null ? {} : { afterPath }),
        });
        files.push(...response.files);
        afterPath = response.nextPath;
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
      <Dialog title={title} size="medium" grows onClose={onClose}>
        <UndoneFiles workspaceId={workspaceId} listing={known} {...running} onClose={onClose} />
      </Dialog>
    );
  }
  const isRunning = running.kind === 'running';
  const { data } = preview;
  const sorted = data === undefined ? null : sortUndone(data.files);
  const problem =
    requested.kind === 'no_since'
      ? texts.noSince
      : requested.kind === 'ends_before'
        ? texts.endsBefore
        : null;
  const isLooking = settled !== fields || preview.isFetching;
  const impossibleBecause =
    problem ??
    (isLooking
      ? texts.looking
      : sorted === null
        ? ui.couldNotBeLoaded(texts.preview)
        : sorted.changed.length === 0
          ? texts.nothing
          : null);
  const list = { workspaceId, listing: known, isDone: false, onClose };
  return (
    <Dialog
      title={title}
      description={texts.description}
      size="medium"
      grows
      dismissible={isRunning ? 'never' : 'by-keyboard'}
      onClose={onClose}
    >
      <form
        className="undo"
        aria-label={title}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isRunning && requested.kind === 'options' && impossibleBecause === null)
            void undo(requested.options);
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
          options={locationsAround(from.path).map((location) => ({
            value: location,
            label: location === '' ? texts.wholeWorkspace : visibleName(location),
          }))}
        />
        <section className="undo-preview" aria-label={texts.preview} aria-busy={isLooking}>
          <p role="status" className="undo-summary">
            {problem !== null
              ? ''
              : isRunning
                ? texts.progress(
                    running.files.length,
                    Math.max(running.files.length, data?.files.length ?? 0),
                  )
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
              <UndoneList {...list} label={texts.left} files={sorted.left} />
              <UndoneList {...list} label={texts.changes} files={sorted.changed} />
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
            disabledBecause={impossibleBecause}
          >
            {texts.action(sorted?.changed.length ?? 0)}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** Previews the undo. Changes nothing. */
function usePreview(workspaceId: string, options: UndoInput | null) {
  return useQuery({
    queryKey: queryKeys.undoPreview(workspaceId, options),
    enabled: options !== null,
    queryFn: async ({ signal }) => {
      const files: UndoneFileRecord[] = [];
      let afterPath: string | null = null;
      if (options === null) return { files, isCut: false };
      for (let page = 0; page < previewPagesMax; page += 1) {
        const response: Awaited<ReturnType<typeof client.undo>> = await client.undo(
          workspaceId,
          { ...options, dryRun: true, ...(afterPath === null ? {} : { afterPath }) },
          { signal },
        );
        files.push(...response.files);
        afterPath = response.nextPath;
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
