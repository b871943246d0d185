import { serverResponds, useStore } from '../store/store.ts';
import { shell } from '../text/en/shell.ts';
import { Button } from '../ui/Button.tsx';
import { availableCommands, registeredCommands, runCommand } from '../ui/commands.ts';
import { Menu, type MenuEntry } from '../ui/Menu.tsx';

const newCommands = ['new-file', 'new-folder', 'upload-files', 'upload-folder'];

/** The `New` button: in the navigation, and on folder pages where the navigation is a drawer. */
export function NewMenu() {
  useStore(registeredCommands);
  useStore(serverResponds);
  const commands = availableCommands();
  const entries = newCommands.flatMap((id): MenuEntry[] => {
    const command = commands.find((candidate) => candidate.id === id);
    if (command === undefined) return [];
    return [
      {
        kind: 'item',
        label: command.words,
        ...(id === 'new-file' || id === 'new-folder'
          ? { icon: id === 'new-file' ? 'file-plus' : 'folder-plus' }
          : { icon: 'upload' }),
        keys: command.keys?.[0],
        disabledBecause: command.disabled?.() ?? null,
        onSelect: () => runCommand(id),
      },
    ];
  });
  const reasons = new Set(
    commands.filter(({ id }) => newCommands.includes(id)).map((each) => each.disabled?.() ?? null),
  );
  const [reason = null] = reasons;
  if (entries.length === 0) return null;
  const button = (
    <Button icon="plus" className="files-new" disabledBecause={reasons.size === 1 ? reason : null}>
      {shell.newThing}
    </Button>
  );
  return reasons.size === 1 && reason !== null ? button : <Menu entries={entries}>{button}</Menu>;
}
