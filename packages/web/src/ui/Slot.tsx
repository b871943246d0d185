import { type ReactNode, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { createStore, useStore } from '../store/store.ts';

/**
 * Slots of the frame that pages fill: the save state and the panel buttons in the header, the panel next to `main`, the
 * uploads in the corner.
 */
export type SlotName = 'save-state' | 'panel-buttons' | 'panel' | 'uploads';

const slots = createStore<Readonly<Partial<Record<SlotName, HTMLElement>>>>({});

/** A slot of the frame. It takes no space while it is empty. */
export function Slot({ name, className }: { readonly name: SlotName; readonly className?: string }) {
  const [element, setElement] = useState<HTMLElement | null>(null);
  useEffect(() => {
    if (element === null) return;
    slots.set({ ...slots.get(), [name]: element });
    return () => {
      const { [name]: gone, ...rest } = slots.get();
      slots.set(gone === element ? rest : slots.get());
    };
  }, [name, element]);
  return <div ref={setElement} className={className} data-slot={name} />;
}

/** Renders content into a slot of the frame while this component is mounted. */
export function InSlot({ name, children }: { readonly name: SlotName; readonly children: ReactNode }) {
  const element = useStore(slots)[name];
  return element === undefined ? null : createPortal(children, element);
}
