// biome-ignore-all lint/a11y/useSemanticElements: a grid of buttons is not a table
import { nodeIconMaxCharacters, parseIcon, WorkspaceError } from '@stoa/core';
import { type FormEvent, useId, useRef, useState } from 'react';
import { nameOf } from '../api/listing-index.ts';
import { ownValue } from '../store/own-value.ts';
import { files as texts } from '../text/en/files.ts';
import { visibleName } from '../text/visible-name.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog, DialogButtons } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { NamedIconDrawing, namedIcons } from '../ui/named-icons.tsx';
import { FormAlert } from '../ui/States.tsx';
import { useNarrow } from '../ui/use-narrow.ts';
import { shownListing } from './files-context.ts';
import { emojiChoices } from './icon-choices.ts';
import { setIcon } from './set-properties.ts';
import { useFiles } from './use-files.ts';
import './icon-dialog.css';

interface Choice {
  readonly icon: string;
  readonly name: string;
}

const choices: readonly Choice[] = [
  ...emojiChoices.map(([icon, name]) => ({ icon, name })),
  ...Object.keys(namedIcons).map((icon) => ({ icon, name: icon.replaceAll('-', ' ') })),
];
/** Icons per row; on a phone each is as wide as a finger. */
const columnsWide = 8;
const columnsNarrow = 6;

export function IconDialog({
  workspaceId,
  path,
  onClose,
}: {
  readonly workspaceId: string;
  readonly path: string;
  onClose(): void;
}) {
  const context = useFiles(workspaceId);
  const now = ownValue(shownListing(context).icons, path) ?? null;
  const [typed, setTyped] = useState(now ?? '');
  const [problem, setProblem] = useState<string | null>(null);
  const alertId = useId();
  const title = texts.iconTitle(visibleName(nameOf(path)));

  function submit(event: FormEvent) {
    event.preventDefault();
    const icon = typed.trim();
    try {
      if (icon !== '') parseIcon(icon);
    } catch (error) {
      if (!(error instanceof WorkspaceError)) throw error;
      setProblem(texts.unusableIcon);
      return;
    }
    onClose();
    void setIcon(context, path, icon === '' ? null : icon);
  }

  return (
    <Dialog title={title} size="medium" onClose={onClose}>
      <form className="files-form" aria-label={title} onSubmit={submit} noValidate>
        <FormAlert id={alertId}>{problem}</FormAlert>
        <Field
          label={texts.iconField}
          value={typed}
          wrongBy={problem === null ? undefined : alertId}
          maxLength={nodeIconMaxCharacters}
          autoComplete="off"
          spellCheck={false}
          autoFocus
          onChange={(event) => {
            setTyped(event.target.value);
            setProblem(null);
          }}
        />
        <Choices chosen={typed} onPick={setTyped} />
        <DialogButtons>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button
            needsServer
            disabledBecause={now === null ? texts.noIcon : null}
            onClick={() => {
              onClose();
              void setIcon(context, path, null);
            }}
          >
            {texts.removeIcon}
          </Button>
          <Button kind="primary" type="submit" needsServer>
            {texts.setIcon}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** A grid of buttons. One is in the tab order; arrow keys move between all of them. */
function Choices({ chosen, onPick }: { readonly chosen: string; onPick(icon: string): void }) {
  const wanted = choices.findIndex(({ icon }) => icon === chosen);
  const [at, setAt] = useState(Math.max(0, wanted));
  const grid = useRef<HTMLDivElement>(null);
  const columns = useNarrow() ? columnsNarrow : columnsWide;
  const rows = Array.from({ length: Math.ceil(choices.length / columns) }, (_, row) =>
    choices.slice(row * columns, (row + 1) * columns),
  );
  const moves: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -columns,
    ArrowDown: columns,
    Home: -choices.length,
    End: choices.length,
  };
  return (
    <div
      ref={grid}
      className="icon-grid"
      role="grid"
      tabIndex={-1}
      aria-label={texts.icons}
      onKeyDown={(event) => {
        const by = moves[event.key];
        if (by === undefined) return;
        event.preventDefault();
        const next = Math.min(Math.max(at + by, 0), choices.length - 1);
        setAt(next);
        grid.current?.querySelectorAll('button')[next]?.focus();
      }}
    >
      {rows.map((row, rowIndex) => (
        <div key={row[0]?.icon} role="row" className="icon-row" tabIndex={-1}>
          {row.map(({ icon, name }, column) => {
            const index = rowIndex * columns + column;
            return (
              <span key={icon} role="gridcell" tabIndex={-1}>
                <button
                  type="button"
                  className="icon-choice"
                  aria-label={name}
                  aria-pressed={icon === chosen}
                  title={name}
                  tabIndex={index === at ? 0 : -1}
                  onClick={() => {
                    setAt(index);
                    onPick(icon);
                  }}
                >
                  {Object.hasOwn(namedIcons, icon) ? (
                    <NamedIconDrawing name={icon} size={20} fallback={null} />
                  ) : (
                    <span aria-hidden="true">{icon}</span>
                  )}
                </button>
              </span>
            );
          })}
        </div>
      ))}
    </div>
  );
}
