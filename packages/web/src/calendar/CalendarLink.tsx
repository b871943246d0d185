import { useRef, useState } from 'react';
import { fileAddress } from '../api/addresses.ts';
import { files } from '../text/en/files.ts';
import { visibleName } from '../text/visible-name.ts';
import { AppLink } from '../ui/AppLink.tsx';
import { openDialog } from '../ui/dialogs.ts';
import { MenuAt } from '../ui/Menu.tsx';
import { type Point, useContextMenu } from '../ui/use-context-menu.ts';
import type { CalendarEntry } from './calendar-entries.ts';
import type { CalendarActions } from './use-calendar-actions.ts';

/** Data type of a dragged note: only days of this calendar accept it. */
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
  const [menuAt, setMenuAt] = useState<Point | null>(null);
  const link = useRef<HTMLAnchorElement>(null);
  const menu = useContextMenu(setMenuAt);
  return (
    <>
      <AppLink
        ref={link}
        to={address}
        className="calendar-link"
        draggable
        onDragStart={(event) => event.dataTransfer.setData(draggedPath, entry.path)}
        {...menu}
      >
        <bdi>{visibleName(entry.title)}</bdi>
      </AppLink>
      {menuAt === null ? null : (
        <MenuAt
          name={files.actionsFor(name)}
          entries={[
            ...actions.menuOf(entry.file),
            { kind: 'separator' },
            {
              kind: 'item',
              label: files.changeDate,
              icon: 'calendar',
              needsServer: true,
              disabledBecause: actions.readOnlyBecause,
              onSelect: () => openDialog({ kind: 'change-date', workspaceId, path: entry.path }),
            },
          ]}
          location={{ ...menuAt, width: 0, height: 0 }}
          returnTo={link.current}
          onClose={() => setMenuAt(null)}
        />
      )}
    </>
  );
}
