import { folderAddress, type Place } from '../api/addresses.ts';
import { useUsage } from '../api/use-workspace.ts';
import { useStore } from '../store/store.ts';
import { shell } from '../text/en/shell.ts';
import { sizeText } from '../text/sizes.ts';
import { Button } from '../ui/Button.tsx';
import { availableCommands, registeredCommands, runCommand } from '../ui/commands.ts';
import { Menu } from '../ui/Menu.tsx';
import { Meter } from '../ui/Meter.tsx';
import './navigation.css';

/** From here on the bar says that space gets short. */
const storageShownFrom = 0.8;
/** What the button `New` offers, where a page has registered it. */
const newCommands = ['new-file', 'new-folder', 'upload-files', 'upload-folder'];

/** What stands at the left, and in the drawer of narrow screens. */
export function Navigation({ workspaceId }: { readonly workspaceId: string; readonly place: Place }) {
  return (
    <div className="navigation">
      <NewMenu />
      <div className="navigation-tree" data-top={folderAddress(workspaceId, '')} />
      <StorageBar workspaceId={workspaceId} />
    </div>
  );
}

/** The button `New`: on narrow screens it stands on folders too. */
export function NewMenu() {
  useStore(registeredCommands);
  const commands = availableCommands().filter(({ id }) => newCommands.includes(id));
  if (commands.length === 0) return null;
  return (
    <Menu
      entries={newCommands.flatMap((id) => {
        const command = commands.find((candidate) => candidate.id === id);
        if (command === undefined) return [];
        return {
          kind: 'item' as const,
          label: command.words,
          keys: command.keys?.[0],
          disabledBecause: command.disabled?.() ?? null,
          onSelect: () => runCommand(id),
        };
      })}
    >
      <Button icon="plus" className="navigation-new">
        {shell.newThing}
      </Button>
    </Menu>
  );
}

function StorageBar({ workspaceId }: { readonly workspaceId: string }) {
  const usage = useUsage(workspaceId).data;
  if (usage === undefined || usage.limitBytes === null) return null;
  const { usedBytes, limitBytes } = usage;
  if (usedBytes < limitBytes * storageShownFrom) return null;
  return (
    <div className="navigation-storage">
      <Meter
        label={shell.storageUsed}
        value={usedBytes}
        max={limitBytes}
        text={shell.usedOf(sizeText(usedBytes), sizeText(limitBytes))}
        warning
      />
    </div>
  );
}
