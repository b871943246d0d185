import { askAndSignOut } from '../account/sign-out.ts';
import { currentUser, useSession } from '../api/session.ts';
import { account } from '../text/en/account.ts';
import { shell } from '../text/en/shell.ts';
import { useGoTo } from '../ui/AppLink.tsx';
import { Button } from '../ui/Button.tsx';
import { type Command, useCommands } from '../ui/commands.ts';
import { openDialog } from '../ui/dialogs.ts';
import { Menu, type MenuEntry } from '../ui/Menu.tsx';
import { initialOf } from './WorkspaceMark.tsx';

type MenuItem = Extract<MenuEntry, { readonly kind: 'item' }>;

/** The same item as a command, with its keys, for the palette. */
function commandOf({ label, keys, needsServer = false, onSelect }: MenuItem): Command {
  return {
    id: `account.${label}`,
    words: label,
    ...(keys === undefined ? {} : { keys: [keys] }),
    needsServer,
    run: onSelect,
  };
}

export function AccountMenu() {
  useSession();
  const user = currentUser();
  const goTo = useGoTo();
  const items: readonly MenuItem[] = [
    { kind: 'item', label: shell.profile, icon: 'person', onSelect: () => goTo('/account') },
    { kind: 'item', label: shell.apiKeys, icon: 'key', onSelect: () => goTo('/account/keys') },
    { kind: 'item', label: shell.linkADevice, icon: 'device', onSelect: () => goTo('/link') },
    {
      kind: 'item',
      label: shell.keyboardShortcuts,
      icon: 'keyboard',
      keys: '?',
      onSelect: () => openDialog({ kind: 'keyboard-shortcuts' }),
    },
  ];
  const signOut: MenuItem = {
    kind: 'item',
    label: account.signOut,
    icon: 'sign-out',
    needsServer: true,
    // The page redirects to sign-in without further steps, and signing in leads back here.
    onSelect: () => void askAndSignOut(),
  };
  useCommands([...items, signOut].map(commandOf));
  return (
    <Menu align="end" entries={[...items, { kind: 'separator' }, signOut]}>
      <Button kind="quiet" aria-label={shell.account} title={user?.name}>
        <span className="account-initial" data-initial={initialOf(user?.name ?? '')} aria-hidden="true" />
      </Button>
    </Menu>
  );
}
