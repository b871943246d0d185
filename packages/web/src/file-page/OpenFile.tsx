import { useSearch } from '@tanstack/react-router';
import { fileAddress, withChangedSearch } from '../api/addresses.ts';
import type { FileEntry } from '../api/listing-index.ts';
import { useWorkspaceRecord } from '../api/use-workspace.ts';
import { fileView } from '../reading/file-view.ts';
import { ThemeCss } from '../reading/ThemeCss.tsx';
import { reading } from '../text/en/reading.ts';
import { visibleName } from '../text/visible-name.ts';
import { useGoTo } from '../ui/AppLink.tsx';
import { Button } from '../ui/Button.tsx';
import { useCommands } from '../ui/commands.ts';
import { PageHeading } from '../ui/PageHeading.tsx';
import { InSlot } from '../ui/Slot.tsx';
import { CopyMenu } from './CopyMenu.tsx';
import { InfoPanel } from './InfoPanel.tsx';
import { ReadMode } from './ReadMode.tsx';

/** What stands beside a file. */
const panelNames = ['info'] as const;
type PanelName = (typeof panelNames)[number];

/** A file that is there, with its toolbar and panels. */
export function OpenFile({
  workspaceId,
  entry,
}: {
  readonly workspaceId: string;
  readonly entry: FileEntry;
}) {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const goTo = useGoTo();
  const themeCss = useWorkspaceRecord(workspaceId).data?.themeCss ?? null;
  const panel = panelNames.find((name) => name === search.panel) ?? null;
  const name = visibleName(entry.name);
  const { path } = entry;

  const showPanel = (next: PanelName | null): void => {
    const here = location.pathname + location.search + location.hash;
    goTo(withChangedSearch(here, { panel: next ?? undefined }), { replace: true });
  };
  useCommands([
    {
      id: 'panel.info',
      words: reading.info,
      keys: ['i'],
      run: () => showPanel(panel === 'info' ? null : 'info'),
    },
  ]);

  return (
    <div className="file-page">
      <div className="file-page-head">
        <PageHeading title={name} place={fileAddress(workspaceId, path)}>
          <bdi>{name}</bdi>
        </PageHeading>
        <div role="toolbar" aria-label={reading.toolbar} className="file-page-toolbar">
          <CopyMenu workspaceId={workspaceId} entry={entry} />
        </div>
      </div>
      <InSlot name="panel-buttons">
        {/* biome-ignore lint/a11y/useSemanticElements: these buttons are no form */}
        <div role="group" aria-label={reading.panels} className="file-page-panels">
          <Button
            kind="quiet"
            icon="info"
            aria-pressed={panel === 'info'}
            onClick={() => showPanel(panel === 'info' ? null : 'info')}
          >
            {reading.info}
          </Button>
        </div>
      </InSlot>
      {search.theme === 'safe' ? null : <ThemeCss css={themeCss} />}
      <ReadMode
        workspaceId={workspaceId}
        entry={entry}
        view={fileView({ ...entry, sizeBytes: entry.size })}
      />
      {panel === 'info' ? (
        <InfoPanel workspaceId={workspaceId} entry={entry} onClose={() => showPanel(null)} />
      ) : null}
    </div>
  );
}
