import { nameOf } from '../api/listing-index.ts';
import { undoing as texts } from '../text/en/undoing.ts';
import { momentText } from '../text/times.ts';
import { visibleName } from '../text/visible-name.ts';
import { IconButton } from '../ui/Button.tsx';
import { openDialog } from '../ui/dialogs.ts';
import { Menu } from '../ui/Menu.tsx';
import type { ActivityEntry } from './activity-entries.ts';

/** The undo commands of an entry: all changes by its author since then, or those in its file. */
export function UndoMenu({
  workspaceId,
  entry,
  who,
  readOnlyBecause,
}: {
  readonly workspaceId: string;
  readonly entry: ActivityEntry;
  readonly who: string;
  readonly readOnlyBecause: string | null;
}) {
  const { author, since, path } = entry;
  const time = momentText(Date.parse(since), Date.now());
  const undo = (isOnlyThere: boolean) => () =>
    openDialog({ kind: 'undo', workspaceId, who, from: { actor: author, since, path, isOnlyThere } });
  const common = {
    kind: 'item',
    icon: 'undo',
    needsServer: true,
    disabledBecause: readOnlyBecause,
  } as const;
  return (
    <Menu
      align="end"
      entries={[
        { ...common, label: texts.since(who, time), onSelect: undo(false) },
        { ...common, label: texts.onlyIn(who, visibleName(nameOf(path)), time), onSelect: undo(true) },
      ]}
    >
      <IconButton icon="more" name={texts.more(who, time)} />
    </Menu>
  );
}
