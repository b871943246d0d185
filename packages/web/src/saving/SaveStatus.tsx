import { useEffect, useRef } from 'react';
import { useStore } from '../store/store.ts';
import { saving as texts } from '../text/en/saving.ts';
import { announce } from '../ui/notices.ts';
import { InSlot } from '../ui/Slot.tsx';
import { useNarrow } from '../ui/use-narrow.ts';
import { FullWorkspace } from './FullWorkspace.tsx';
import type { RunningEngine } from './run-engine.ts';
import { StateText } from './StateText.tsx';
import { type SaveState, saveState } from './save-state.ts';

/** Shows in the header whether the server has the text. Urgent states are also announced once. */
export function SaveStatus<Doc>({ engine }: { readonly engine: RunningEngine<Doc> }) {
  const shown = saveState(useStore(engine.store), Date.now(), engine.documents);
  const text = textOf(shown);
  const isUrgent = urgent(shown);
  const said = useRef('');
  useEffect(() => {
    if (isUrgent && said.current !== text) announce(text);
    said.current = text;
  }, [isUrgent, text]);
  // On a phone the header has space for one word. Urgent states are shown in full over the lower edge, so that the text
  // does not move while the user types.
  const narrow = useNarrow();
  const status = <StateText text={text} isUrgent={isUrgent} isOffline={shown.kind === 'offline'} />;
  return (
    <>
      {narrow && isUrgent ? (
        <div className="save-status-line">{status}</div>
      ) : (
        <InSlot name="save-state">{status}</InSlot>
      )}
      {shown.kind === 'refused' && shown.reason.kind === 'full' ? (
        <FullWorkspace workspaceId={engine.workspaceId} />
      ) : null}
    </>
  );
}

function urgent({ kind }: SaveState): boolean {
  return kind !== 'saved' && kind !== 'not_saved_yet' && kind !== 'saving' && kind !== 'gone';
}

function textOf(state: SaveState): string {
  switch (state.kind) {
    case 'saved':
      return texts.saved;
    case 'not_saved_yet':
      return texts.notSavedYet;
    case 'saving':
      return texts.savingNow;
    case 'offline':
      return texts.offline;
    case 'signed_out':
      return texts.signedOut;
    case 'conflict':
      return texts.conflict;
    case 'deleted':
      return texts.deleted;
    case 'read_only':
      return texts.readOnly;
    case 'not_kept':
      return texts.notKept;
    case 'gone':
      return '';
    case 'refused': {
      const { reason } = state;
      if (reason.kind === 'read_only') return texts.readOnly;
      if (reason.kind === 'too_large') return texts.tooLarge(reason.limitBytes);
      if (reason.kind === 'full') return texts.full;
      return texts.refused(reason.message);
    }
  }
}
