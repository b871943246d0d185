import { effectiveContentType, mediaTypeOf } from '@stoa/core';
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
import type { OpenDocument } from '../saving/open-documents.ts';
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

const OpenDocumentState = lazy(async () => ({ default: (await loadEngines()).OpenDocumentState }));

export interface ReadModeProps {
  readonly workspaceId: string;
  readonly entry: FileEntry;
  readonly view: FileView;
  /** Null where the text is not the current version. */
  readonly comments: TextComments | null;
  /** The locally edited text, saved or not; null if nothing is edited. */
  readonly openDocument: OpenDocument | null;
}

/** A file in Read mode, rendered by its kind. */
export function ReadMode(props: ReadModeProps) {
  const { workspaceId, entry, view } = props;
  const { path } = entry;
  const name = visibleName(entry.name);
  switch (view.kind) {
    case 'picture':
      return (
        <div className="reading-picture">
          <img src={fileContentAddress(workspaceId, path, { preview: '1' })} alt={name} />
        </div>
      );
    case 'html':
      // Without scripts, and under its own policy from the server.
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
      return props.openDocument === null ? (
        <LoadedFile {...props} />
      ) : (
        <TypedText {...props} openDocument={props.openDocument} />
      );
  }
}

/** The locally edited text and its save state. */
function TypedText({
  workspaceId,
  entry,
  view,
  comments,
  openDocument,
}: ReadModeProps & { readonly openDocument: OpenDocument }) {
  // Renders again when the text changes.
  useStore({ get: () => openDocument.store.get().doc, subscribe: openDocument.store.subscribe });
  const base = useStore({
    get: () => openDocument.store.get().base,
    subscribe: openDocument.store.subscribe,
  });
  return (
    <>
      <Suspense fallback={null}>
        <OpenDocumentState text={openDocument} />
      </Suspense>
      <ShownText
        workspaceId={workspaceId}
        entry={entry}
        view={view}
        comments={comments}
        openDocument={openDocument}
        text={openDocument.text}
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
    if (isNotThere(error)) return <NotFound within />;
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

/** A decoded text: the current version or an earlier one. */
export function LoadedText({
  workspaceId,
  entry,
  view,
  comments,
  file,
  address,
}: Omit<ReadModeProps, 'openDocument'> & {
  readonly file: ReadFile;
  /** The address of the bytes, if not of the current version. */
  readonly address?: string;
}) {
  const { decoded, version } = file;
  if (decoded.kind !== 'text') {
    // A file of unknown type is not expected to be text.
    const isUnknown =
      mediaTypeOf(effectiveContentType(entry.path, file.contentType)) === 'application/octet-stream';
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
      openDocument={null}
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
  openDocument,
  text,
  version,
}: ReadModeProps & { readonly text: string; readonly version: number }) {
  const name = visibleName(entry.name);
  // Earlier versions have no comments and no line authors here.
  const showsList = useStore(showsWriters) && comments !== null;
  const writers = showsList ? (
    <Suspense fallback={null}>
      <TextWriters
        workspaceId={workspaceId}
        path={entry.path}
        saved={openDocument === null ? { text, version } : openDocument.saved}
        shown={text}
        isTyped={openDocument !== null}
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
          openDocument={openDocument}
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
