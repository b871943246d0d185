import { DropdownMenu as RadixMenu } from 'radix-ui';
import { type Ref, useEffect, useLayoutEffect, useRef } from 'react';
import { serverResponds, useStore } from '../store/store.ts';
import { ui } from '../text/en/ui.ts';
import { Icon, type IconName } from './Icon.tsx';
import { keysText } from './keys.ts';
import type { MenuAtProps, MenuEntry } from './Menu.tsx';
import { sayWhyNot } from './notices.ts';

// Menus are rendered next to their opener. At the end of the page they would be outside every landmark.

/** The open menu of an existing button. */
export function ButtonMenu({
  button,
  entries,
  align,
  byKeys,
  onClose,
}: {
  readonly button: HTMLElement;
  readonly entries: readonly MenuEntry[];
  readonly align: 'start' | 'end';
  /** Opened by a key: the first entry gets the focus. */
  readonly byKeys: boolean;
  onClose(): void;
}) {
  const content = useRef<HTMLDivElement>(null);
  /** The user pressed elsewhere and has the focus there. */
  const isElsewhere = useRef(false);
  useEffect(() => {
    if (byKeys)
      content.current?.querySelector<HTMLElement>('[role^="menuitem"]')?.focus({ preventScroll: true });
  }, [byKeys]);
  return (
    <RadixMenu.Root open modal={false} onOpenChange={(open) => (open ? undefined : onClose())}>
      <RadixMenu.Trigger asChild>
        <StandsFor element={button} />
      </RadixMenu.Trigger>
      <RadixMenu.Content
        ref={content}
        className="ui-menu"
        aria-labelledby={button.id}
        align={align}
        sideOffset={4}
        collisionPadding={8}
        loop
        onInteractOutside={() => {
          isElsewhere.current = true;
        }}
        onCloseAutoFocus={(event) => {
          // By now the library has lost the button.
          event.preventDefault();
          if (!isElsewhere.current) button.focus();
        }}
      >
        <Entries entries={entries} parts={RadixMenu} />
      </RadixMenu.Content>
    </RadixMenu.Root>
  );
}

/** The library's trigger without its own element: the menu is positioned at the button. */
function StandsFor({ element, ref }: { readonly element: HTMLElement; readonly ref?: Ref<HTMLElement> }) {
  useLayoutEffect(() => {
    if (typeof ref === 'function') {
      const cleanup = ref(element);
      return () => {
        if (typeof cleanup === 'function') cleanup();
        else ref(null);
      };
    }
    if (ref !== null && ref !== undefined) ref.current = element;
    return undefined;
  }, [element, ref]);
  return null;
}

/** One menu shared by many items, at a given position. */
export function PlacedMenu({ name, entries, location, returnTo, onClose }: MenuAtProps) {
  const { x, y, width, height } = location;
  return (
    <RadixMenu.Root open modal={false} onOpenChange={(open) => (open ? undefined : onClose())}>
      <RadixMenu.Trigger asChild>
        <span
          aria-hidden="true"
          tabIndex={-1}
          style={{ position: 'fixed', left: x, top: y, width, height, pointerEvents: 'none' }}
        />
      </RadixMenu.Trigger>
      <RadixMenu.Content
        className="ui-menu"
        aria-label={name}
        aria-labelledby={undefined}
        side="right"
        align="start"
        sideOffset={2}
        collisionPadding={8}
        loop
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          if (returnTo?.isConnected === true) returnTo.focus({ preventScroll: true });
        }}
      >
        <Entries entries={entries} parts={RadixMenu} />
      </RadixMenu.Content>
    </RadixMenu.Root>
  );
}

/** The library's two menus have the same parts under different names. */
type MenuParts = Pick<
  typeof RadixMenu,
  'Item' | 'CheckboxItem' | 'RadioGroup' | 'RadioItem' | 'ItemIndicator' | 'Separator'
>;

export function Entries({
  entries,
  parts,
}: {
  readonly entries: readonly MenuEntry[];
  readonly parts: MenuParts;
}) {
  return entries.map((entry, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: entries do not move while a menu is open
    <Entry key={index} entry={entry} parts={parts} />
  ));
}

function Entry({ entry, parts }: { readonly entry: MenuEntry; readonly parts: MenuParts }) {
  const responses = useStore(serverResponds);
  const because = reasonAgainst(entry, responses);
  switch (entry.kind) {
    case 'separator':
      return <parts.Separator className="ui-menu-separator" />;
    case 'item':
      return (
        <parts.Item
          className="ui-menu-item"
          data-danger={entry.danger}
          {...reasonOf(because)}
          onSelect={guarded(because, entry.onSelect)}
        >
          <MenuIcon name={entry.icon} />
          <span className="ui-menu-label">{entry.label}</span>
          <MenuKeys keys={entry.keys} />
        </parts.Item>
      );
    case 'checkbox':
      return (
        <parts.CheckboxItem
          className="ui-menu-item"
          checked={entry.checked}
          {...reasonOf(because)}
          onSelect={guarded(because, () => entry.onSelect(!entry.checked))}
        >
          <MenuIcon name={entry.icon} />
          <span className="ui-menu-label">{entry.label}</span>
          <parts.ItemIndicator>
            <Icon name="check" />
          </parts.ItemIndicator>
          <MenuKeys keys={entry.keys} />
        </parts.CheckboxItem>
      );
    case 'choice':
      return (
        <parts.RadioGroup value={entry.value} aria-label={entry.label}>
          {entry.options.map((option) => (
            <parts.RadioItem
              key={option.value}
              className="ui-menu-item"
              value={option.value}
              onSelect={() => entry.onSelect(option.value)}
            >
              {option.picture}
              <span className="ui-menu-label">{option.label}</span>
              <parts.ItemIndicator>
                <Icon name="check" />
              </parts.ItemIndicator>
            </parts.RadioItem>
          ))}
        </parts.RadioGroup>
      );
  }
}

function reasonAgainst(entry: MenuEntry, serverResults: boolean): string | null {
  if (entry.kind === 'separator' || entry.kind === 'choice') return null;
  return entry.disabledBecause ?? (entry.needsServer === true && !serverResults ? ui.notWhileOffline : null);
}

function MenuIcon({ name }: { readonly name: IconName | undefined }) {
  return name === undefined ? <span className="ui-menu-no-icon" /> : <Icon name={name} />;
}

/** Shown next to the name, not part of it. */
function MenuKeys({ keys }: { readonly keys: string | undefined }) {
  if (keys === undefined) return null;
  return (
    <span className="ui-menu-keys" aria-hidden="true">
      {keysText(keys)}
    </span>
  );
}

/** A disabled entry stays focusable, so that its reason can be read. */
function reasonOf(because: string | null | undefined) {
  if (because === null || because === undefined) return {};
  return { 'aria-disabled': true, 'aria-description': because, title: because };
}

function guarded(because: string | null | undefined, run: () => void) {
  return (event: Event) => {
    if (because === null || because === undefined) run();
    else {
      event.preventDefault();
      sayWhyNot(because);
    }
  };
}
