import { useLayoutEffect, useRef } from 'react';

/** Keys typed before the palette could handle them. */
let kept = { text: '', entered: false };

export const keptKeys = {
  take: (): Readonly<typeof kept> => {
    const taken = kept;
    kept = { text: '', entered: false };
    return taken;
  },
};

/** Buffers keys while the chunk of the palette loads, so that the user can type at once. */
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
      // The list below would handle the same keys.
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener('keydown', pressed, { capture: true });
    return () => document.removeEventListener('keydown', pressed, { capture: true });
  }, []);
  return null;
}
