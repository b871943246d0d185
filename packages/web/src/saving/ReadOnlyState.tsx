import { useEffect } from 'react';
import { saving as texts } from '../text/en/saving.ts';
import { announce } from '../ui/notices.ts';
import { InSlot } from '../ui/Slot.tsx';
import { StateText } from './StateText.tsx';

/** The save state of a read-only file. Announced once, as in the editor. */
export function ReadOnlyState() {
  useEffect(() => announce(texts.readOnly), []);
  return (
    <InSlot name="save-state">
      <StateText text={texts.readOnly} />
    </InSlot>
  );
}
