import type { RefObject } from 'react';
import { comments } from '../text/en/comments.ts';
import { files } from '../text/en/files.ts';
import { reading } from '../text/en/reading.ts';
import { shell } from '../text/en/shell.ts';
import { Button } from '../ui/Button.tsx';
import type { IconName } from '../ui/Icon.tsx';
import { InSlot } from '../ui/Slot.tsx';
import { useNarrow } from '../ui/use-narrow.ts';

/** The panels of a file. */
export const panelNames = ['comments', 'history', 'activity', 'info'] as const;
export type PanelName = (typeof panelNames)[number];

const icons: Readonly<Record<PanelName, IconName>> = {
  comments: 'comments',
  history: 'history',
  activity: 'activity',
  info: 'info',
};

/** The panel buttons: in the header, and as icons on narrow pages. */
export function PanelButtons({
  group,
  panel,
  openThreads,
  onToggle,
}: {
  readonly group: RefObject<HTMLDivElement | null>;
  readonly panel: PanelName | null;
  readonly openThreads: number;
  onToggle(panel: PanelName): void;
}) {
  const words: Readonly<Record<PanelName, string>> = {
    comments: openThreads === 0 ? comments.title : reading.openComments(openThreads),
    history: files.history,
    activity: shell.activity,
    info: reading.info,
  };
  const narrow = useNarrow();
  const buttons = (
    // biome-ignore lint/a11y/useSemanticElements: these buttons are not a form
    <div ref={group} role="group" aria-label={reading.panels} className="file-page-panels">
      {panelNames.map((name) => (
        <Button
          key={name}
          kind="quiet"
          icon={icons[name]}
          title={words[name]}
          aria-label={words[name]}
          aria-pressed={panel === name}
          // Drawn by the style sheet: text next to the icon would have to match the accessible name.
          data-count={name === 'comments' && openThreads > 0 ? openThreads : undefined}
          onClick={() => onToggle(name)}
        >
          {narrow ? undefined : words[name]}
        </Button>
      ))}
    </div>
  );
  return narrow ? buttons : <InSlot name="panel-buttons">{buttons}</InSlot>;
}
