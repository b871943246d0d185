import { lazy, type ReactNode, Suspense } from 'react';
import { keptNumber } from '../store/kept.ts';
import { useStore } from '../store/store.ts';
import { shell } from '../text/en/shell.ts';
import { IconButton } from './Button.tsx';
import { Resizer } from './Resizer.tsx';
import { InSlot } from './Slot.tsx';
import { useNarrow } from './use-narrow.ts';
import './panel.css';

const Dialog = lazy(async () => ({ default: (await import('./Dialog.tsx')).Dialog }));

const bounds = { min: 280, max: 560 };
const keptWidth = keptNumber('stoa.panel-width', bounds, 340);

/** A panel next to a file: comments, history, activity, info. On a narrow screen a sheet of the same name. */
export function Panel({
  name,
  onClose,
  children,
}: {
  readonly name: string;
  onClose(): void;
  readonly children: ReactNode;
}) {
  const narrow = useNarrow();
  const width = useStore(keptWidth);
  const content = (
    <>
      <div className="ui-panel-head">
        {/* In the sheet, screen readers announce the dialog's own title. */}
        {narrow ? <span className="ui-panel-title">{name}</span> : <h2 className="ui-panel-title">{name}</h2>}
        <IconButton icon="close" name={shell.closePanel} onClick={onClose} />
      </div>
      <div className="ui-panel-content">{children}</div>
    </>
  );
  if (narrow) {
    return (
      <Suspense>
        <Dialog title={name} hideTitle position="sheet" onClose={onClose}>
          <div className="ui-panel">{content}</div>
        </Dialog>
      </Suspense>
    );
  }
  return (
    <InSlot name="panel">
      <aside
        className="ui-panel"
        style={{ inlineSize: width }}
        aria-label={name}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return;
          event.preventDefault();
          onClose();
        }}
      >
        <Resizer label={shell.panelWidth} side="end" value={width} {...bounds} onChange={keptWidth.set} />
        {content}
      </aside>
    </InSlot>
  );
}
