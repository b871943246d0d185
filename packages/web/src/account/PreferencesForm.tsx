import { workspaceThemes } from '@stoa/core';
import { useStore } from '../store/store.ts';
import { account as texts } from '../text/en/account.ts';
import { parseThemePreference, themePreference } from '../themes/active-theme.ts';
import { Switch } from '../ui/Choice.tsx';
import { Select } from '../ui/Field.tsx';
import { singleKeys } from '../ui/single-keys.ts';

/** Preferences stored in this browser. They apply at once. */
export function PreferencesForm() {
  const theme = useStore(themePreference);
  const keysWork = useStore(singleKeys);
  return (
    <form
      className="account-section"
      aria-labelledby="account-preferences"
      onSubmit={(e) => e.preventDefault()}
    >
      <h2 id="account-preferences">{texts.preferences}</h2>
      <Select
        label={texts.theme}
        value={theme}
        options={(['workspace', 'system', ...workspaceThemes] as const).map((value) => ({
          value,
          label: texts.themes[value],
        }))}
        onChange={(value) => themePreference.set(parseThemePreference(value))}
      />
      <Switch
        label={texts.singleKeys}
        description={texts.singleKeysText}
        checked={keysWork}
        onChange={singleKeys.set}
      />
    </form>
  );
}
