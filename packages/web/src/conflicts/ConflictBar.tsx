import { useEffect, useRef } from 'react';
import { fileAddress, folderAddress } from '../api/addresses.ts';
import { folderOf, nameOf } from '../api/listing-index.ts';
import { useReadOnlyReason } from '../api/use-workspace.ts';
import type { RunningEngine } from '../saving/run-engine.ts';
import { useStore } from '../store/store.ts';
import { conflicts as texts } from '../text/en/conflicts.ts';
import { saving } from '../text/en/saving.ts';
import { visibleName } from '../text/visible-name.ts';
import { AppLink, useGoTo } from '../ui/AppLink.tsx';
import { Button } from '../ui/Button.tsx';
import { openDialog } from '../ui/dialogs.ts';
import { Icon } from '../ui/Icon.tsx';
import { compareOwnText } from './compare-own-text.ts';
import { DeletedBar, RestoreButton } from './DeletedBar.tsx';
import './conflicts.css';

/** The bar for a conflict: others changed the same words, or deleted the file. */
export function ConflictBar<Doc>({
  engine,
  onDownload,
}: {
  readonly engine: RunningEngine<Doc>;
  onDownload(): void;
}) {
  const { hold, path } = useStore(engine.store);
  const goTo = useGoTo();
  const closeCompare = useRef<(() => void) | null>(null);
  const isConflict = hold?.kind === 'conflict';
  const readOnlyBecause = useReadOnlyReason(engine.workspaceId);
  useEffect(() => {
    if (!isConflict) closeCompare.current?.();
  }, [isConflict]);

  if (hold?.kind === 'conflict') {
    const { theirs, copy } = hold;
    const who = visibleName(theirs?.who ?? saving.somebody);
    const compare = () => {
      const comparison = compareOwnText(engine);
      return comparison === null ? null : openDialog({ kind: 'compare', comparison });
    };
    const choose = (kind: 'keep_both' | 'replace') => engine.notify({ kind: 'chosen', choice: { kind } });
    return (
      <section className="conflict-bar" aria-label={texts.conflict}>
        <Icon name="conflict" />
        <p role="alert">
          {theirs === null ? null : `${texts.savedWhileTyping(who, theirs.version)} `}
          {copy === null ? (
            texts.keptHere
          ) : (
            <>
              {texts.safeIn}{' '}
              <AppLink to={fileAddress(engine.workspaceId, copy.path)}>
                {visibleName(nameOf(copy.path))}
              </AppLink>
            </>
          )}
        </p>
        <div className="conflict-choices">
          <Button
            kind="primary"
            disabledBecause={readOnlyBecause}
            onClick={() => {
              closeCompare.current = compare();
            }}
          >
            {texts.compareAndMerge}
          </Button>
          {/* If the copy exists already, nothing needs writing. */}
          <Button
            disabledBecause={copy === null ? readOnlyBecause : null}
            onClick={() => choose('keep_both')}
          >
            {texts.keepBoth}
          </Button>
          <Button disabledBecause={readOnlyBecause} onClick={() => choose('replace')}>
            {texts.replaceWithMine}
          </Button>
        </div>
      </section>
    );
  }
  if (hold?.kind !== 'deleted') return null;
  return (
    <DeletedBar who={visibleName(hold.who ?? saving.somebody)}>
      {engine.isDirty ? (
        <>
          <Button
            kind="primary"
            disabledBecause={readOnlyBecause}
            onClick={() => engine.notify({ kind: 'chosen', choice: { kind: 'save_again' } })}
          >
            {texts.saveItAgain}
          </Button>
          <Button onClick={onDownload}>{saving.downloadMyText}</Button>
          <Button
            onClick={() => {
              engine.notify({ kind: 'chosen', choice: { kind: 'discard' } });
              goTo(folderAddress(engine.workspaceId, folderOf(path)));
            }}
          >
            {texts.discardMyText}
          </Button>
        </>
      ) : (
        <RestoreButton workspaceId={engine.workspaceId} path={path} />
      )}
    </DeletedBar>
  );
}
