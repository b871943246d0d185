import { cloneElement, type ReactElement, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { createStore, useStore } from '../store/store.ts';
import type { ButtonProps } from './Button.tsx';
import { rememberContextTarget } from './dialogs.ts';
import type { IconName } from './Icon.tsx';
import { loadPart } from './load-part.ts';
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

/** What draws an open menu is loaded when one is about to be opened: no page needs it to be shown. */
const parts = createStore<typeof import('./menu-content.tsx') | null>(null);

export function loadMenus(): void {
  if (parts.get() === null) import('./menu-content.tsx').then(parts.set, () => undefined);
}

/** @param onFailed when it cannot be loaded, which is said */
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
  /** The button that opens it, whose name the menu takes. */
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
          // Else the button would take the focus from the menu.
          if (opened === null) event.preventDefault();
          setOpened(opened === null ? 'by-pointer' : null);
        },
        onKeyDown: (event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          setOpened('by-keys');
        },
        // By Enter, Space or a program: a pointer has opened it before its click.
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
export function MenuAt(props: MenuAtProps) {
  const { returnTo, onClose } = props;
  useEffect(() => {
    if (returnTo !== null) rememberContextTarget(returnTo);
  }, [returnTo]);
  const loaded = useMenuParts(true, onClose);
  return loaded === null ? null : <loaded.PlacedMenu {...props} />;
}
