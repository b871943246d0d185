import type { WorkspaceRecord } from '@stoa/contract';
import { imageTypes, workspaceImageMaxBytes, workspaceNameMaxCharacters } from '@stoa/core';
import { useParams } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { client } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useWorkspaceRecord, useWorkspaces } from '../api/use-workspace.ts';
import { notices } from '../text/en/notices.ts';
import { settings as texts } from '../text/en/settings.ts';
import { Button } from '../ui/Button.tsx';
import { type ColorChoice, ColorRadios } from '../ui/ColorRadios.tsx';
import { Field } from '../ui/Field.tsx';
import { notify } from '../ui/notices.ts';
import { isOwnImage } from '../ui/own-image.ts';
import { FormAlert, Loaded } from '../ui/States.tsx';
import { useLeaveGuard } from '../ui/use-leave-guard.ts';
import { useTask } from '../ui/use-task.ts';
import { SettingsFrame } from './SettingsFrame.tsx';

const downloadNote = 'download-note';
const exportNote = 'export-note';

/** Name, icon and colour, all files as a zip, and for owners the full export (`/w/{id}/settings`). */
export function GeneralPage() {
  const { workspaceId } = useParams({ from: '/signed-in/w/$workspaceId/settings' });
  const record = useWorkspaceRecord(workspaceId);
  const role = useWorkspaces().data?.find(({ id }) => id === workspaceId)?.role;
  return (
    <SettingsFrame workspaceId={workspaceId} page="settings">
      <Loaded asked={record} what={texts.what} rows={6}>
        {(workspace) => (
          <>
            <GeneralForm key={workspaceId} workspace={workspace} />
            <div className="settings-download">
              <a
                className="ui-button ui-button-secondary"
                href={`/api/workspaces/${encodeURIComponent(workspaceId)}/download`}
                download
                aria-describedby={downloadNote}
              >
                {texts.download}
              </a>
              <p id={downloadNote}>{texts.downloadDescription}</p>
            </div>
            {role === 'owner' ? (
              <div className="settings-download">
                <a
                  className="ui-button ui-button-secondary"
                  href={`/api/workspaces/${encodeURIComponent(workspaceId)}/export`}
                  download
                  aria-describedby={exportNote}
                >
                  {texts.export}
                </a>
                <p id={exportNote}>{texts.exportDescription}</p>
              </div>
            ) : null}
          </>
        )}
      </Loaded>
    </SettingsFrame>
  );
}

function GeneralForm({ workspace }: { readonly workspace: WorkspaceRecord }) {
  const shownIcon = isOwnImage(workspace.icon) ? '' : (workspace.icon ?? '');
  const [name, setName] = useState(workspace.name);
  const [icon, setIcon] = useState(shownIcon);
  const [color, setColor] = useState<ColorChoice>(workspace.color ?? 'none');
  const alertId = useId();
  const [tried, setTried] = useState<'name' | 'icon' | 'image' | null>(null);
  const task = useTask();
  /** Records the field of the action, so that the field can refer to the alert as its description. */
  const run = (field: typeof tried, work: () => Promise<void>) => {
    setTried(field);
    task.run(work);
  };
  const wrongBy = (field: typeof tried) => (task.error !== null && tried === field ? alertId : undefined);
  const hasChanges = name !== workspace.name || icon !== shownIcon || color !== (workspace.color ?? 'none');
  useLeaveGuard(hasChanges);

  const save = async () => {
    await client.updateWorkspace(workspace.id, {
      name,
      // An uploaded image stays until the user types another icon.
      ...(icon === shownIcon ? {} : { icon: icon === '' ? null : icon }),
      color: color === 'none' ? null : color,
    });
    await workspaceChanged(workspace.id);
    notify({ text: notices.saved });
  };
  const removeIcon = async () => {
    await client.updateWorkspace(workspace.id, { icon: null });
    setIcon('');
    await workspaceChanged(workspace.id);
    notify({ text: notices.iconRemoved });
  };
  const sendImage = async (file: File) => {
    if (file.size > workspaceImageMaxBytes) throw new Error(texts.iconTooLarge);
    await client.uploadWorkspaceIcon(workspace.id, new Uint8Array(await file.arrayBuffer()));
    setIcon('');
    await workspaceChanged(workspace.id);
    notify({ text: notices.iconSet });
  };

  return (
    <form
      className="page-form"
      aria-label={texts.general}
      onSubmit={(event) => {
        event.preventDefault();
        run(icon === shownIcon ? 'name' : 'icon', save);
      }}
    >
      <Field
        label={texts.name}
        value={name}
        wrongBy={wrongBy('name')}
        maxLength={workspaceNameMaxCharacters}
        required
        onChange={(event) => setName(event.target.value)}
      />
      <Field
        label={texts.icon}
        wrongBy={wrongBy('icon')}
        description={texts.iconDescription}
        value={icon}
        autoComplete="off"
        onChange={(event) => setIcon(event.target.value)}
      />
      <div className="settings-icon">
        {isOwnImage(workspace.icon) ? (
          <img className="settings-icon-image" src={workspace.icon} alt="" width={48} height={48} />
        ) : null}
        <Field
          label={texts.iconImage}
          wrongBy={wrongBy('image')}
          description={texts.iconImageDescription}
          type="file"
          accept={imageTypes.join(',')}
          onChange={(event) => {
            const file = event.target.files?.[0];
            if (file !== undefined) run('image', () => sendImage(file));
          }}
        />
        <div>
          <Button
            needsServer
            disabledBecause={workspace.icon === null ? texts.noIcon : null}
            onClick={() => run(null, removeIcon)}
          >
            {texts.removeIcon}
          </Button>
        </div>
      </div>
      <ColorRadios value={color} onChange={setColor} />
      <FormAlert id={alertId}>{task.error}</FormAlert>
      <Button kind="primary" type="submit" needsServer aria-busy={task.busy}>
        {texts.save}
      </Button>
    </form>
  );
}

async function workspaceChanged(workspaceId: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: queryKeys.workspace(workspaceId) }),
    queryClient.invalidateQueries({ queryKey: queryKeys.workspaces }),
  ]);
}
