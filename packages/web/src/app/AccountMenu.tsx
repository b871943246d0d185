import { askAndSignOut } from '../account/sign-out.ts';
import { currentUser, useSession } from '../api/session.ts';
import { account } from '../text/en/account.ts';
import { shell } from '../text/en/shell.ts';
import { useGoTo } from '../ui/AppLink.tsx';
import { Button } from '../ui/Button.tsx';
import { openDialog } from '../ui/dialogs.ts';
import { Menu } from '../ui/Menu.tsx';
import { initialOf } from './WorkspaceMark.tsx';

export function AccountMenu() {
  useSession();
  const user = currentUser();
  const goTo = useGoTo();
  return (
    <Menu
      align="end"
      entries={[
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
        { kind: 'separator' },
        {
          kind: 'item',
          label: account.signOut,
          icon: 'sign-out',
          needsServer: true,
          // The page goes to signing in by itself, and whoever does is back here.
          onSelect: () => void askAndSignOut(),
        },
      ]}
    >
      <Button kind="quiet" aria-label={shell.account} title={user?.name}>
        <span className="account-initial" data-initial={initialOf(user?.name ?? '')} aria-hidden="true" />
      </Button>
    </Menu>
  );
}
