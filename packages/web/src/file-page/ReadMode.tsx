import { lazy, Suspense } from 'react';
import { fileContentAddress } from '../api/addresses.ts';
import { isNotThere } from '../api/feed-connection.ts';
import type { FileEntry } from '../api/listing-index.ts';
import { CsvView } from '../reading/CsvView.tsx';
import type { FileView } from '../reading/file-view.ts';
import { NoView } from '../reading/NoView.tsx';
import { SourceView } from '../reading/SourceView.tsx';
import { type ReadFile, useFile } from '../reading/use-file.ts';
import { reading } from '../text/en/reading.ts';
import { visibleName } from '../text/visible-name.ts';
import { NotFound } from '../ui/NotFound.tsx';
import { LoadFailure, LoadingLines } from '../ui/States.tsx';
import { MarkdownMode, type TextComments } from './MarkdownMode.tsx';

const PdfView = lazy(async () => ({ default: (await import('../reading/PdfView.tsx')).PdfView }));

export interface ReadModeProps {
  readonly workspaceId: string;
  readonly entry: FileEntry;
  readonly view: FileView;
  /** Null where the text is not the current one. */
  readonly comments: TextComments | null;
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
      return <NoView workspaceId={workspaceId} path={path} name={entry.name} />;
    case 'markdown':
    case 'source':
    case 'csv':
    case 'pdf':
      return <LoadedFile {...props} />;
  }
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
        <PdfView name={name} bytes={data.bytes} />
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
}: ReadModeProps & { readonly file: ReadFile }) {
  const { path } = entry;
  const name = visibleName(entry.name);
  const { decoded } = file;
  if (decoded.kind !== 'text') {
    const text = decoded.kind === 'not_text' ? reading.notText : reading.noView;
    return <NoView workspaceId={workspaceId} path={path} name={entry.name} text={text} />;
  }
  switch (view.kind) {
    case 'markdown':
      return (
        <MarkdownMode
          workspaceId={workspaceId}
          path={path}
          name={name}
          source={decoded.text}
          version={file.version}
          comments={comments}
        />
      );
    case 'csv':
      return <CsvView name={name} text={decoded.text} />;
    default:
      return <SourceView name={name} text={decoded.text} />;
  }
}
