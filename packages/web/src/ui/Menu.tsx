import { DropdownMenu as RadixMenu } from 'radix-ui';
import { type ReactNode, useEffect } from 'react';
import { serverAnswers, useStore } from '../store/store.ts';
import { ui } from '../text/en/ui.ts';
import { rememberContextTarget } from './dialogs.ts';
import { Icon, type IconName } from './Icon.tsx';
import { keysText } from './keys.ts';
import './menu.css';

/** What stands in a menu, as a value: the same list serves the button's menu and the context menu of a thing. */
export type MenuEntry =
  | {
      readonly kind: 'item';
      readonly label: string;
      readonly icon?: IconName;
      readonly keys?: string | undefined;
      readonly danger?: boolean;
      /** Cannot be chosen while the server does not answer. */
      readonly needsServer?: boolean;
      readonly disabledBecause?: string | null | undefined;
      onSelect(): void;
    }
  | {
      readonly kind: 'checkbox';
      readonly label: string;
      readonly icon?: IconName;
      readonly keys?: string | undefined;
      readonly checked: boolean;
      readonly needsServer?: boolean;
      readonly disabledBecause?: string | null | undefined;
      onSelect(checked: boolean): void;
    }
  | {
      readonly kind: 'choice';
      readonly label: string;
      readonly value: string;
      readonly options: readonly {
        readonly value: string;
        readonly label: string;
        readonly picture?: ReactNode;
      }[];
      onSelect(value: string): void;
    }
  | { readonly kind: 'separator' };

export interface MenuProps {
  readonly entries: readonly MenuEntry[];
  /** The button that opens it, whose name the menu takes. */
  readonly children: ReactNode;
  readonly align?: 'start' | 'end';
}

// Menus stand in the page beside what opens them, not at its end: there they would be outside of every landmark.

export function Menu({ entries, children, align = 'start' }: MenuProps) {
  return (
    <RadixMenu.Root modal={false}>
      <RadixMenu.Trigger asChild>{children}</RadixMenu.Trigger>
      <RadixMenu.Content className="ui-menu" align={align} sideOffset={4} collisionPadding={8} loop>
        <Entries entries={entries} parts={RadixMenu} />
      </RadixMenu.Content>
    </RadixMenu.Root>
  );
}

/** Where a menu opens: below a control, or at the pointer. In pixels of the window. */
export interface MenuPlace {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface MenuAtProps {
  readonly name: string;
  readonly entries: readonly MenuEntry[];
  readonly place: MenuPlace;
  /** Takes the focus when the menu closes. */
  readonly returnTo: HTMLElement | null;
  onClose(): void;
}

/** One menu for many things alike: open for as long as it is drawn. */
export function MenuAt({ name, entries, place, returnTo, onClose }: MenuAtProps) {
  useEffect(() => {
    if (returnTo !== null) rememberContextTarget(returnTo);
  }, [returnTo]);
  const { x, y, width, height } = place;
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

/** The two menus of the library have the same parts under two names. */
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
  const answers = useStore(serverAnswers);
  const because = reasonAgainst(entry, answers);
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

function reasonAgainst(entry: MenuEntry, serverAnswers: boolean): string | null {
  if (entry.kind === 'separator' || entry.kind === 'choice') return null;
  return entry.disabledBecause ?? (entry.needsServer === true && !serverAnswers ? ui.notWhileOffline : null);
}

function MenuIcon({ name }: { readonly name: IconName | undefined }) {
  return name === undefined ? <span className="ui-menu-no-icon" /> : <Icon name={name} />;
}

/** Shown beside the name, and no part of it. */
function MenuKeys({ keys }: { readonly keys: string | undefined }) {
  if (keys === undefined) return null;
  return (
    <span className="ui-menu-keys" aria-hidden="true">
      {keysText(keys)}
    </span>
  );
}

/** A disabled entry can still be reached: its reason is read there. */
function reasonOf(because: string | null | undefined) {
  if (because === null || because === undefined) return {};
  return { 'aria-disabled': true, 'aria-description': because, title: because };
}

function guarded(because: string | null | undefined, run: () => void) {
  return (event: Event) => {
    if (because === null || because === undefined) run();
    else event.preventDefault();
  };
}
