import { fileAddress } from '../api/addresses.ts';
import { calendar as texts } from '../text/en/calendar.ts';
import { files } from '../text/en/files.ts';
import { visibleName } from '../text/visible-name.ts';
import { AppLink } from '../ui/AppLink.tsx';
import { ContextMenu } from '../ui/ContextMenu.tsx';
import { openDialog } from '../ui/dialogs.ts';
import type { CalendarEntry } from './calendar-entries.ts';
import type { CalendarActions } from './use-calendar-actions.ts';

/** What a dragged note carries: only days of this calendar take it. */
export const draggedPath = 'application/x-stoa-note';

export function CalendarLink({
  workspaceId,
  entry,
  actions,
}: {
  readonly workspaceId: string;
  readonly entry: CalendarEntry;
  readonly actions: CalendarActions;
}) {
  const address = fileAddress(workspaceId, entry.path);
  const name = visibleName(entry.file.name);
  return (
    <ContextMenu
      name={files.actionsFor(name)}
      entries={[
        ...actions.menuOf(entry.file),
        { kind: 'separator' },
        {
          kind: 'item',
          label: texts.changeDate,
          icon: 'calendar',
          disabledBecause: actions.readOnlyBecause,
          onSelect: () => openDialog({ kind: 'change-date', workspaceId, path: entry.path }),
        },
      ]}
    >
      <AppLink
        to={address}
        className="calendar-link"
        draggable
        onDragStart={(event) => event.dataTransfer.setData(draggedPath, entry.path)}
      >
        <bdi>{visibleName(entry.title)}</bdi>
      </AppLink>
    </ContextMenu>
  );
}
