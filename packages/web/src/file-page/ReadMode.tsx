import { mediaTypeOf } from '@stoa/core';
import { lazy, Suspense } from 'react';
import { fileContentAddress } from '../api/addresses.ts';
import { isNotThere } from '../api/feed-connection.ts';
import type { FileEntry } from '../api/listing-index.ts';
import type { ReadFile } from '../api/read-file.ts';
import { CsvView } from '../reading/CsvView.tsx';
import type { FileView } from '../reading/file-view.ts';
import { NoView } from '../reading/NoView.tsx';
import { SourceView } from '../reading/SourceView.tsx';
import { useFile } from '../reading/use-file.ts';
import type { LivingText } from '../saving/living-texts.ts';
import { useStore } from '../store/store.ts';
import { reading } from '../text/en/reading.ts';
import { visibleName } from '../text/visible-name.ts';
import { NotFound } from '../ui/NotFound.tsx';
import { LoadFailure, LoadingLines } from '../ui/States.tsx';
import { showsWriters } from '../writers/shows-writers.ts';
import { loadEngines } from './load-engines.ts';
import { MarkdownMode, type TextComments } from './MarkdownMode.tsx';
import { loadWriters } from './show-writers.ts';

const PdfView = lazy(async () => ({ default: (await import('../reading/PdfView.tsx')).PdfView }));

const TextWriters = lazy(loadWriters);

const LivingState = lazy(async () => ({ default: (await loadEngines()).LivingState }));

export interface ReadModeProps {
  readonly workspaceId: string;
  readonly entry: FileEntry;
  readonly view: FileView;
  /** Null where the text is not the current one. */
  readonly comments: TextComments | null;
  /** As it is typed here, saved or not; null where nobody edits it. */
  readonly living: LivingText | null;
}

/** A file for looking at, by its kind. */
export function ReadMode(props: ReadModeProps) {
  const { workspaceId, entry, view } = props;
  const { path } = entry;
  const name = visibleName(entry.name);
  switch (view.kind) {
    case 'picture':
      return (
        <div className="reading-picture">
          <img src={fileContentAddress(workspaceId, path)} alt={name} />
        </div>
      );
    case 'html':
      // Without scripts, and with a policy of its own from the server.
      return (
        <iframe
          className="reading-preview"
          sandbox=""
          title={reading.previewOf(name)}
          src={fileContentAddress(workspaceId, path, { preview: '1' })}
        />
      );
    case 'none':
      return <NoView workspaceId={workspaceId} path={path} name={entry.name} sizeBytes={entry.size} />;
    case 'markdown':
    case 'source':
    case 'csv':
    case 'pdf':
      return props.living === null ? (
        <LoadedFile {...props} />
      ) : (
        <TypedText {...props} living={props.living} />
      );
  }
}

/** What was typed here, and what becomes of it. */
function TypedText({
  workspaceId,
  entry,
  view,
  comments,
  living,
}: ReadModeProps & { readonly living: LivingText }) {
  // Drawn again when the text is another.
  useStore({ get: () => living.store.get().doc, subscribe: living.store.subscribe });
  const base = useStore({ get: () => living.store.get().base, subscribe: living.store.subscribe });
  return (
    <>
      <Suspense fallback={null}>
        <LivingState text={living} />
      </Suspense>
      <ShownText
        workspaceId={workspaceId}
        entry={entry}
        view={view}
        comments={comments}
        living={living}
        text={living.text}
        version={base.version}
      />
    </>
  );
}

function LoadedFile({ workspaceId, entry, view, comments }: ReadModeProps) {
  const { path } = entry;
  const { data, error, refetch } = useFile(workspaceId, path);
  if (data === undefined) {
    if (error === null) return <LoadingLines rows={12} />;
    if (isNotThere(error)) return <NotFound />;
    return <LoadFailure what={reading.thisFile} error={error} onRetry={() => void refetch()} />;
  }
  const name = visibleName(entry.name);
  if (view.kind === 'pdf') {
    return (
      <Suspense fallback={<LoadingLines rows={12} />}>
        <PdfView
          name={name}
          bytes={data.bytes}
          unreadable={
            <NoView
              workspaceId={workspaceId}
              path={path}
              name={entry.name}
              sizeBytes={entry.size}
              text={reading.pdfNotReadable}
            />
          }
        />
      </Suspense>
    );
  }
  return <LoadedText workspaceId={workspaceId} entry={entry} view={view} comments={comments} file={data} />;
}

/** Decoded bytes, the current ones or those of an earlier version. */
export function LoadedText({
  workspaceId,
  entry,
  view,
  comments,
  file,
  address,
}: Omit<ReadModeProps, 'living'> & {
  readonly file: ReadFile;
  /** Of the bytes, where they are not the current ones. */
  readonly address?: string;
}) {
  const { decoded, version } = file;
  if (decoded.kind !== 'text') {
    // Of a type that says nothing nobody expects a text.
    const isUnknown = mediaTypeOf(file.contentType) === 'application/octet-stream';
    return (
      <NoView
        workspaceId={workspaceId}
        path={entry.path}
        name={entry.name}
        sizeBytes={file.bytes.length}
        text={decoded.kind === 'not_text' && !isUnknown ? reading.notText : reading.noView}
        address={address}
      />
    );
  }
  return (
    <ShownText
      workspaceId={workspaceId}
      entry={entry}
      view={view}
      comments={comments}
      living={null}
      text={decoded.text}
      version={version}
    />
  );
}

function ShownText({
  workspaceId,
  entry,
  view,
  comments,
  living,
  text,
  version,
}: ReadModeProps & { readonly text: string; readonly version: number }) {
  const name = visibleName(entry.name);
  // Earlier versions have no comments, and nobody is told of their lines here.
  const showsList = useStore(showsWriters) && comments !== null;
  const writers = showsList ? (
    <Suspense fallback={null}>
      <TextWriters
        workspaceId={workspaceId}
        path={entry.path}
        saved={living === null ? { text, version } : living.saved}
        shown={text}
        isTyped={living !== null}
        blocks={null}
      />
    </Suspense>
  ) : null;
  switch (view.kind) {
    case 'markdown':
      return (
        <MarkdownMode
          workspaceId={workspaceId}
          path={entry.path}
          name={name}
          source={text}
          version={version}
          comments={comments}
          living={living}
        />
      );
    case 'csv':
      return (
        <>
          {writers}
          <CsvView name={name} text={text} />
        </>
      );
    default:
      return (
        <>
          {writers}
          <SourceView name={name} text={text} />
        </>
      );
  }
}
