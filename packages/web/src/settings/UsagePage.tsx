import { useParams } from '@tanstack/react-router';
import { fileAddress } from '../api/addresses.ts';
import { useListing } from '../api/use-listing.ts';
import { useUsage } from '../api/use-workspace.ts';
import { settings } from '../text/en/settings.ts';
import { numberText, sizeText } from '../text/sizes.ts';
import { visibleName } from '../text/visible-name.ts';
import { AppLink } from '../ui/AppLink.tsx';
import { Meter } from '../ui/Meter.tsx';
import { LoadFailure, LoadingLines } from '../ui/States.tsx';
import { SettingsFrame } from './SettingsFrame.tsx';

const texts = settings.usagePage;
const largestShown = 20;
/** From here on a bar says that space gets short. */
const warningFrom = 0.8;

/** How full the workspace is (`/w/{id}/settings/usage`). */
export function UsagePage() {
  const { workspaceId } = useParams({ from: '/signed-in/w/$workspaceId/settings/usage' });
  const usage = useUsage(workspaceId);
  return (
    <SettingsFrame workspaceId={workspaceId} page="settings/usage">
      {usage.data !== undefined ? (
        <>
          <Meters usage={usage.data} />
          <LargestFiles workspaceId={workspaceId} />
        </>
      ) : usage.isError ? (
        <LoadFailure what={settings.what} error={usage.error} onRetry={() => void usage.refetch()} />
      ) : (
        <LoadingLines rows={6} />
      )}
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
            max={limitBytes ?? Math.max(1, usedBytes)}
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
            max={limitFiles ?? Math.max(1, usedFiles)}
            text={
              limitFiles === null
                ? texts.filesUnlimited(numberText(usedFiles))
                : texts.filesText(numberText(usedFiles), numberText(limitFiles))
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
        <div className="page-table-frame">
          <table className="page-table" aria-label={texts.largestFiles}>
            <thead>
              <tr>
                <th scope="col">{texts.columnPath}</th>
                <th scope="col" className="page-number">
                  {texts.columnSize}
                </th>
              </tr>
            </thead>
            <tbody>
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
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
