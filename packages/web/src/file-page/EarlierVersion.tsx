import { numberText } from '@stoa/core';
import { useQuery } from '@tanstack/react-query';
import { fileAddress, versionContentAddress } from '../api/addresses.ts';
import { client } from '../api/client.ts';
import { decodeText } from '../api/decode-text.ts';
import type { FileEntry } from '../api/listing-index.ts';
import { whoOf } from '../api/people.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { ReadFile } from '../api/read-file.ts';
import { useMembers } from '../api/use-workspace.ts';
import { MissingVersion } from '../history/MissingVersion.tsx';
import { restoreWithUndo } from '../history/restore-with-undo.ts';
import { useVersions } from '../history/use-versions.ts';
import { compareParameter, findVersion } from '../history/version-parameter.ts';
import { type VersionRow, versionRows } from '../history/version-rows.ts';
import { fileView } from '../reading/file-view.ts';
import { NoView } from '../reading/NoView.tsx';
import { history as texts } from '../text/en/history.ts';
import { reading } from '../text/en/reading.ts';
import { momentText } from '../text/times.ts';
import { visibleName } from '../text/visible-name.ts';
import { useGoTo } from '../ui/AppLink.tsx';
import { Button } from '../ui/Button.tsx';
import { Icon, whoIcon } from '../ui/Icon.tsx';
import { LoadFailure, LoadingLines } from '../ui/States.tsx';
import { Time } from '../ui/Time.tsx';
import { useNarrow } from '../ui/use-narrow.ts';
import { LoadedText } from './ReadMode.tsx';

/** An earlier version of a file, given by the `v` parameter of the address. Read-only. */
export function EarlierVersion({
  workspaceId,
  entry,
  parameter,
  readOnlyBecause,
}: {
  readonly workspaceId: string;
  readonly entry: FileEntry;
  readonly parameter: string;
  /** Why nothing can be restored, or null. */
  readonly readOnlyBecause: string | null;
}) {
  const { path } = entry;
  const versions = useVersions(workspaceId, path);
  const members = useMembers(workspaceId);
  const goTo = useGoTo();
  // On a narrow screen the list of versions would cover the chosen version.
  const panel = useNarrow() ? undefined : 'history';
  if (versions.isPending) return <LoadingLines />;
  if (versions.isError) {
    return <LoadFailure what={texts.what} error={versions.error} onRetry={() => void versions.refetch()} />;
  }
  const rows = versionRows(path, versions.data);
  const row = findVersion(rows, parameter);
  const newest = rows[0];
  const back = () => goTo(fileAddress(workspaceId, path, { panel }), { replace: true });
  if (row === null || newest === undefined) return <MissingVersion why={texts.notThere} onBack={back} />;
  const { version } = row.record;
  const compare = compareParameter(rows, row, newest);
  const who = whoOf(row.record, members.data ?? []);
  return (
    <section aria-label={texts.earlier} className="earlier-version">
      <div className="earlier-version-head">
        <p className="earlier-version-text">
          {texts.versionOfNewest(
            momentText(Date.parse(row.record.createdAt), Date.now()),
            numberText(newest.record.version),
          )}
        </p>
        <p className="earlier-version-who">
          <Icon name={whoIcon(who.kind)} />
          <bdi>{visibleName(who.name)}</bdi>
          <Time at={row.record.createdAt} />
        </p>
        <div className="earlier-version-choices">
          <Button
            needsServer
            disabledBecause={readOnlyBecause}
            onClick={() => restoreWithUndo(workspaceId, path, row.record, newest.record)}
          >
            {texts.restoreVersion(version)}
          </Button>
          <Button onClick={() => goTo(fileAddress(workspaceId, path, { panel, compare }), { replace: true })}>
            {texts.compareWithCurrent}
          </Button>
          <Button kind="primary" onClick={back}>
            {texts.backToCurrent}
          </Button>
        </div>
      </div>
      <VersionContent key={row.id} workspaceId={workspaceId} entry={entry} row={row} />
    </section>
  );
}

/** The bytes of a version, shown by the kind that the file had then. */
function VersionContent({
  workspaceId,
  entry,
  row,
}: {
  readonly workspaceId: string;
  readonly entry: FileEntry;
  readonly row: VersionRow;
}) {
  const { path } = entry;
  const { version, contentHash, contentType, size } = row.record;
  const view = fileView({ path, contentType, sizeBytes: size });
  const isText = view.kind === 'markdown' || view.kind === 'source' || view.kind === 'csv';
  const address = (preview?: '1') =>
    versionContentAddress(workspaceId, { path, version: String(version), contentHash, preview });
  const name = visibleName(entry.name);
  const file = useQuery({
    queryKey: queryKeys.version(workspaceId, path, version, contentHash),
    enabled: isText,
    queryFn: async ({ signal }): Promise<ReadFile> => {
      const response = await client.readVersion(workspaceId, path, version, { contentHash, signal });
      const bytes = await response.bytes();
      return { version, contentType, contentHash, bytes, decoded: decodeText(bytes) };
    },
    // A version never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (view.kind === 'picture') {
    return (
      <div className="reading-picture">
        <img src={address('1')} alt={name} />
      </div>
    );
  }
  if (view.kind === 'html') {
    return (
      <iframe className="reading-preview" sandbox="" title={reading.previewOf(name)} src={address('1')} />
    );
  }
  if (!isText) {
    return (
      <NoView workspaceId={workspaceId} path={path} name={entry.name} sizeBytes={size} address={address()} />
    );
  }
  if (file.data !== undefined) {
    return (
      <LoadedText
        workspaceId={workspaceId}
        entry={entry}
        view={view}
        comments={null}
        file={file.data}
        address={address()}
      />
    );
  }
  if (file.error === null) return <LoadingLines rows={12} />;
  return <LoadFailure what={texts.whatVersion} error={file.error} onRetry={() => void file.refetch()} />;
}
