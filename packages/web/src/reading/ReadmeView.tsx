import { fileAddress } from '../api/addresses.ts';
import type { FileEntry } from '../api/listing-index.ts';
import { useWorkspaceRecord } from '../api/use-workspace.ts';
import { reading } from '../text/en/reading.ts';
import { visibleName } from '../text/visible-name.ts';
import { AppLink } from '../ui/AppLink.tsx';
import { Icon } from '../ui/Icon.tsx';
import { LoadingLines } from '../ui/States.tsx';
import { fileView } from './file-view.ts';
import { MarkdownView } from './MarkdownView.tsx';
import { ThemeCss } from './ThemeCss.tsx';
import { useFile } from './use-file.ts';
import { useParsed } from './use-parsed.ts';

/** The page of a folder, below its list. A file that cannot be rendered is left to its own page. */
export function ReadmeView({
  workspaceId,
  entry,
}: {
  readonly workspaceId: string;
  readonly entry: FileEntry;
}) {
  const isLaidOut = fileView({ ...entry, sizeBytes: entry.size }).kind === 'markdown';
  return isLaidOut ? <LoadedReadme workspaceId={workspaceId} entry={entry} /> : null;
}

function LoadedReadme({ workspaceId, entry }: { readonly workspaceId: string; readonly entry: FileEntry }) {
  const { data, error } = useFile(workspaceId, entry.path);
  const themeCss = useWorkspaceRecord(workspaceId).data?.themeCss ?? null;
  const name = visibleName(entry.name);
  if (data === undefined) return error === null ? <LoadingLines rows={4} /> : null;
  if (data.decoded.kind !== 'text') return null;
  return (
    <section className="reading-readme" aria-label={reading.folderPage(name)}>
      <p className="reading-readme-head">
        <Icon name="file" />
        <AppLink to={fileAddress(workspaceId, entry.path)}>{reading.openFile(name)}</AppLink>
      </p>
      {new URLSearchParams(location.search).get('theme') === 'safe' ? null : <ThemeCss css={themeCss} />}
      <ParsedReadme workspaceId={workspaceId} path={entry.path} name={name} source={data.decoded.text} />
    </section>
  );
}

function ParsedReadme({
  workspaceId,
  path,
  name,
  source,
}: {
  readonly workspaceId: string;
  readonly path: string;
  readonly name: string;
  readonly source: string;
}) {
  const state = useParsed(source);
  switch (state.kind) {
    case 'waiting':
      return <LoadingLines rows={4} />;
    case 'gave_up':
      return null;
    case 'parsed':
      return <MarkdownView workspaceId={workspaceId} path={path} name={name} parsed={state.parsed} />;
  }
}
