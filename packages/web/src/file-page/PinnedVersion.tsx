import { StoaApiError } from '@stoa/client';
import { useQuery } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { decodeText } from '../api/decode-text.ts';
import { isNotThere } from '../api/feed-connection.ts';
import type { FileEntry } from '../api/listing-index.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { ReadFile } from '../api/read-file.ts';
import { MissingVersion } from '../history/MissingVersion.tsx';
import { fileView } from '../reading/file-view.ts';
import { history as texts } from '../text/en/history.ts';
import { Button } from '../ui/Button.tsx';
import { LoadFailure, LoadingLines } from '../ui/States.tsx';
import { LoadedText } from './ReadMode.tsx';

/** A file as of the start of a thread, given by the `pinned` parameter. Read-only. */
export function PinnedVersion({
  workspaceId,
  entry,
  threadId,
  onBack,
}: {
  readonly workspaceId: string;
  readonly entry: FileEntry;
  readonly threadId: string;
  onBack(): void;
}) {
  const file = useQuery({
    queryKey: [...queryKeys.threads(workspaceId, entry.path), 'pinned', threadId],
    queryFn: async ({ signal }): Promise<ReadFile> => {
      const { version, contentType, contentHash, bytes } = await client.readPinnedContent(
        workspaceId,
        threadId,
        { signal },
      );
      const content = await bytes();
      return { version, contentType, contentHash, bytes: content, decoded: decodeText(content) };
    },
    // The pinned version of a thread never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (file.data === undefined) {
    if (file.error === null) return <LoadingLines rows={12} />;
    if (isNotThere(file.error)) return <MissingVersion why={texts.notThere} onBack={onBack} />;
    if (file.error instanceof StoaApiError && file.error.status === 410) {
      return <MissingVersion why={texts.gone} onBack={onBack} />;
    }
    return <LoadFailure what={texts.whatVersion} error={file.error} onRetry={() => void file.refetch()} />;
  }
  const { bytes } = file.data;
  return (
    <section aria-label={texts.earlier} className="earlier-version">
      <div className="earlier-version-head">
        <p className="earlier-version-text">{texts.pinned}</p>
        <Button kind="primary" onClick={onBack}>
          {texts.backToCurrent}
        </Button>
      </div>
      <LoadedText
        workspaceId={workspaceId}
        entry={entry}
        view={fileView({ ...entry, sizeBytes: bytes.length })}
        comments={null}
        file={file.data}
      />
    </section>
  );
}
