import { useLayoutEffect, useRef } from 'react';

/** What was typed before the palette could take it. */
let kept = { text: '', entered: false };

export const keptKeys = {
  take: (): Readonly<typeof kept> => {
    const taken = kept;
    kept = { text: '', entered: false };
    return taken;
  },
};

/** Stands where the palette will be while its chunk is loaded: who knows what to look for does not wait for a field. */
export function KeepKeys({ onClose }: { onClose(): void }) {
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const { key } = event;
      if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
      if (key === 'Escape') {
        keptKeys.take();
        close.current();
      } else if (key === 'Enter') kept = { ...kept, entered: true };
      else if (key === 'Backspace') kept = { ...kept, text: [...kept.text].slice(0, -1).join('') };
      else if ([...key].length === 1) kept = { text: kept.text + key, entered: false };
      else return;
      // Below it lies a list in which the same keys would do something.
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener('keydown', pressed, { capture: true });
    return () => document.removeEventListener('keydown', pressed, { capture: true });
  }, []);
  return null;
}
