import type { WorkspaceRecord } from '@stoa/contract';
import { type WorkspaceTheme, workspaceThemes } from '@stoa/core';
import { useParams } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { folderAddress } from '../api/addresses.ts';
import { client } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useWorkspaceRecord } from '../api/use-workspace.ts';
import { notices } from '../text/en/notices.ts';
import { settings as texts } from '../text/en/settings.ts';
import { palettes } from '../themes/palettes.ts';
import { AppLink } from '../ui/AppLink.tsx';
import { Button } from '../ui/Button.tsx';
import { RadioGroup } from '../ui/Choice.tsx';
import { TextArea } from '../ui/Field.tsx';
import { notify } from '../ui/notices.ts';
import { FormAlert, Loaded } from '../ui/States.tsx';
import { useLeaveGuard } from '../ui/use-leave-guard.ts';
import { useTask } from '../ui/use-task.ts';
import { isKeptWhole } from './kept-css.ts';
import { SettingsFrame } from './SettingsFrame.tsx';
import { ThemePreview } from './ThemePreview.tsx';

/** Theme and theme CSS (`/w/{id}/settings/appearance`). */
export function AppearancePage() {
  const { workspaceId } = useParams({ from: '/signed-in/w/$workspaceId/settings/appearance' });
  const record = useWorkspaceRecord(workspaceId);
  return (
    <SettingsFrame workspaceId={workspaceId} page="settings/appearance">
      <Loaded asked={record} what={texts.what} rows={6}>
        {(workspace) => <AppearanceForm key={workspaceId} workspace={workspace} />}
      </Loaded>
    </SettingsFrame>
  );
}

/** A swatch of the theme: its background and its accent colour. For `system`, the light and the dark background. */
function ThemeSwatch({ theme }: { readonly theme: ThemeChoice }) {
  const [from, to] =
    theme === 'system'
      ? [palettes.light.colors.background, palettes.dark.colors.background]
      : [palettes[theme].colors.background, palettes[theme].colors.accent];
  return (
    <span
      className="settings-swatch"
      style={{ backgroundImage: `linear-gradient(135deg, ${from} 50%, ${to} 50%)` }}
    />
  );
}

type ThemeChoice = WorkspaceTheme | 'system';

function AppearanceForm({ workspace }: { readonly workspace: WorkspaceRecord }) {
  const [theme, setTheme] = useState<ThemeChoice>(workspace.theme ?? 'system');
  const [css, setCss] = useState(workspace.themeCss ?? '');
  const alertId = useId();
  const task = useTask();
  const hasChanges = theme !== (workspace.theme ?? 'system') || css !== (workspace.themeCss ?? '');
  useLeaveGuard(hasChanges);

  const send = async (sent: string) => {
    const kept = await client.updateWorkspace(workspace.id, {
      theme: theme === 'system' ? null : theme,
      themeCss: sent === '' ? null : sent,
    });
    queryClient.setQueryData(queryKeys.workspace(workspace.id), kept);
    await queryClient.invalidateQueries({ queryKey: queryKeys.workspace(workspace.id) });
    const keptCss = kept.themeCss ?? '';
    // Keep what the user has typed since.
    setCss((now) => (now === css ? keptCss : now));
    notify({ text: notices.saved });
    if (!isKeptWhole(sent, keptCss)) task.setError(texts.cleaned);
  };

  return (
    <form
      className="page-form"
      aria-label={texts.appearance}
      onSubmit={(event) => {
        event.preventDefault();
        task.run(() => send(css));
      }}
    >
      <div className="settings-theme">
        <RadioGroup<ThemeChoice>
          label={texts.theme}
          layout="row"
          value={theme}
          options={(['system', ...workspaceThemes] as const).map((value) => ({
            value,
            label: texts.themes[value],
            picture: <ThemeSwatch theme={value} />,
          }))}
          onChange={setTheme}
        />
        <p className="ui-description">{texts.themeDescription}</p>
      </div>
      <div className="settings-theme-css">
        <TextArea
          label={texts.themeCss}
          wrongBy={task.error === null ? undefined : alertId}
          description={texts.themeCssDescription}
          value={css}
          spellCheck={false}
          onChange={(event) => setCss(event.target.value)}
        />
      </div>
      <FormAlert id={alertId}>{task.error}</FormAlert>
      <div className="page-actions">
        <Button kind="primary" type="submit" needsServer aria-busy={task.busy}>
          {texts.save}
        </Button>
        <Button
          needsServer
          disabledBecause={css === '' && (workspace.themeCss ?? '') === '' ? texts.noThemeCss : null}
          onClick={() => task.run(() => send(''))}
        >
          {texts.removeThemeCss}
        </Button>
        <AppLink className="ui-button" to={folderAddress(workspace.id, '', { theme: 'safe' })}>
          {texts.openWithout}
        </AppLink>
      </div>
      <ThemePreview css={workspace.themeCss ?? ''} />
    </form>
  );
}
