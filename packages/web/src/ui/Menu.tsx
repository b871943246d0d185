import { cloneElement, type ReactElement, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { createStore, useStore } from '../store/store.ts';
import type { ButtonProps } from './Button.tsx';
import { rememberContextTarget } from './dialogs.ts';
import type { IconName } from './Icon.tsx';
import { loadPart } from './load-part.ts';
import './menu.css';

/** A menu entry as a value: the same list serves a menu button and a context menu. */
export type MenuEntry =
  | {
      readonly kind: 'item';
      readonly label: string;
      readonly icon?: IconName;
      readonly keys?: string | undefined;
      readonly danger?: boolean;
      /** Disabled while the server does not respond. */
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

/** The code of open menus is loaded when a menu is about to open, because no page needs it at first. */
const parts = createStore<typeof import('./menu-content.tsx') | null>(null);

export function loadMenus(): void {
  if (parts.get() === null) import('./menu-content.tsx').then(parts.set, () => undefined);
}

/** @param onFailed called when loading fails, which is reported in a notice */
function useMenuParts(isWanted: boolean, onFailed: () => void) {
  const loaded = useStore(parts);
  const failed = useRef(onFailed);
  failed.current = onFailed;
  useEffect(() => {
    if (!isWanted || parts.get() !== null) return;
    void loadPart(import('./menu-content.tsx')).then((part) => {
      if (part === null) failed.current();
      else parts.set(part);
    });
  }, [isWanted]);
  return loaded;
}

export interface MenuProps {
  readonly entries: readonly MenuEntry[];
  /** The button that opens the menu and names it. */
  readonly children: ReactElement<ButtonProps>;
  readonly align?: 'start' | 'end';
}

export function Menu({ entries, children, align = 'start' }: MenuProps) {
  const [opened, setOpened] = useState<'by-keys' | 'by-pointer' | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = () => setOpened(null);
  const loaded = useMenuParts(opened !== null, close);
  return (
    <>
      {cloneElement(children, {
        id,
        ref: button,
        'aria-haspopup': 'menu',
        'aria-expanded': opened !== null,
        onPointerEnter: loadMenus,
        onFocus: loadMenus,
        onPointerDown: (event) => {
          if (event.button !== 0 || event.ctrlKey) return;
          // Otherwise the button would take the focus from the menu.
          if (opened === null) event.preventDefault();
          setOpened(opened === null ? 'by-pointer' : null);
        },
        onKeyDown: (event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          setOpened('by-keys');
        },
        // By Enter, Space or a script. A pointer opens it before its click.
        onClick: ({ detail }) => {
          if (detail === 0) setOpened(opened === null ? 'by-keys' : null);
        },
      })}
      {opened === null || loaded === null || button.current === null ? null : (
        <loaded.ButtonMenu
          button={button.current}
          entries={entries}
          align={align}
          byKeys={opened === 'by-keys'}
          onClose={close}
        />
      )}
    </>
  );
}

/** The position of a menu: below a control or at the pointer. In CSS pixels of the window. */
export interface MenuLocation {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface MenuAtProps {
  readonly name: string;
  readonly entries: readonly MenuEntry[];
  readonly location: MenuLocation;
  /** Receives the focus when the menu closes. */
  readonly returnTo: HTMLElement | null;
  onClose(): void;
}

/** One menu shared by many items, such as rows. It is open while it is rendered. */
export function MenuAt(props: MenuAtProps) {
  const { returnTo, onClose } = props;
  useEffect(() => {
    if (returnTo !== null) rememberContextTarget(returnTo);
  }, [returnTo]);
  const loaded = useMenuParts(true, onClose);
  return loaded === null ? null : <loaded.PlacedMenu {...props} />;
}
