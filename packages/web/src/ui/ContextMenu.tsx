import { ContextMenu as RadixContext } from 'radix-ui';
import type { ReactNode } from 'react';
import { rememberContextTarget } from './dialogs.ts';
import { Entries, type MenuEntry } from './Menu.tsx';

export interface ContextMenuProps {
  readonly name: string;
  readonly entries: readonly MenuEntry[];
  /** One element, which takes the pointer's second button and Shift+F10. */
  readonly children: ReactNode;
}

export function ContextMenu({ name, entries, children }: ContextMenuProps) {
  return (
    <RadixContext.Root modal={false}>
      <RadixContext.Trigger
        asChild
        onContextMenu={(event) => {
          if (event.currentTarget instanceof HTMLElement) rememberContextTarget(event.currentTarget);
        }}
      >
        {children}
      </RadixContext.Trigger>
      <RadixContext.Content className="ui-menu" aria-label={name} collisionPadding={8} loop>
        <Entries entries={entries} parts={RadixContext} />
      </RadixContext.Content>
    </RadixContext.Root>
  );
}
