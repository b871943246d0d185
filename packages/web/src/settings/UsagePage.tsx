import { numberText, sizeText } from '@stoa/core';
import { useParams } from '@tanstack/react-router';
import { fileAddress } from '../api/addresses.ts';
import { useListing } from '../api/use-listing.ts';
import { useUsage } from '../api/use-workspace.ts';
import { settings } from '../text/en/settings.ts';
import { visibleName } from '../text/visible-name.ts';
import { AppLink } from '../ui/AppLink.tsx';
import { Meter } from '../ui/Meter.tsx';
import { PageTable } from '../ui/PageTable.tsx';
import { Loaded, LoadingLines } from '../ui/States.tsx';
import { SettingsFrame } from './SettingsFrame.tsx';

const texts = settings.usagePage;
const largestShown = 20;
/** From this share on, the bar warns that space runs out. */
const warningFrom = 0.8;

/** Usage of the workspace (`/w/{id}/settings/usage`). */
export function UsagePage() {
  const { workspaceId } = useParams({ from: '/signed-in/w/$workspaceId/settings/usage' });
  const usage = useUsage(workspaceId);
  return (
    <SettingsFrame workspaceId={workspaceId} page="settings/usage">
      <Loaded asked={usage} what={settings.what} rows={6}>
        {(data) => (
          <>
            <Meters usage={data} />
            <LargestFiles workspaceId={workspaceId} />
          </>
        )}
      </Loaded>
    </SettingsFrame>
  );
}

function Meters({ usage }: { readonly usage: NonNullable<ReturnType<typeof useUsage>['data']> }) {
  const { usedBytes, limitBytes, usedFiles, limitFiles, maxFileBytes, shareViews, billing } = usage;
  return (
    <>
      <div className="settings-meters">
        <div>
          <h2>{texts.storage}</h2>
          <Meter
            label={texts.storage}
            value={usedBytes}
            max={limitBytes}
            text={
              limitBytes === null
                ? texts.storageUnlimited(sizeText(usedBytes))
                : texts.storageText(sizeText(usedBytes), sizeText(limitBytes))
            }
            warning={limitBytes !== null && usedBytes >= limitBytes * warningFrom}
          />
        </div>
        <div>
          <h2>{texts.files}</h2>
          <Meter
            label={texts.files}
            value={usedFiles}
            max={limitFiles}
            text={
              limitFiles === null ? texts.filesUnlimited(usedFiles) : texts.filesText(usedFiles, limitFiles)
            }
            warning={usage.warning}
          />
        </div>
      </div>
      <dl className="page-facts">
        <dt>{texts.largestAllowed}</dt>
        <dd>{sizeText(maxFileBytes)}</dd>
        <dt>{texts.views}</dt>
        <dd>{numberText(shareViews.total)}</dd>
        <dt>{texts.plan}</dt>
        <dd>{billing.plan}</dd>
      </dl>
    </>
  );
}

function LargestFiles({ workspaceId }: { readonly workspaceId: string }) {
  const listing = useListing(workspaceId);
  if (listing.kind !== 'ready') return <LoadingLines rows={4} />;
  const files = [...listing.listing.files.values()].sort((a, b) => b.size - a.size).slice(0, largestShown);
  return (
    <section className="page-section">
      <h2>{texts.largestFiles}</h2>
      {files.length === 0 ? (
        <p className="page-intro">{texts.noFiles}</p>
      ) : (
        <PageTable
          label={texts.largestFiles}
          columns={[texts.columnPath, { label: texts.columnSize, as: 'number' }]}
        >
          {files.map((file) => (
            <tr key={file.path}>
              <td>
                <AppLink to={fileAddress(workspaceId, file.path)}>
                  <bdi>{visibleName(file.path)}</bdi>
                </AppLink>
              </td>
              <td className="page-number">{sizeText(file.size)}</td>
            </tr>
          ))}
        </PageTable>
      )}
    </section>
  );
}
