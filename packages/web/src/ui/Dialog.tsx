import { AlertDialog as RadixAlert, Dialog as RadixDialog } from 'radix-ui';
import { type ReactNode, useContext, useEffect, useState } from 'react';
import { ui } from '../text/en/ui.ts';
import { Button } from './Button.tsx';
import { DialogOpeners } from './dialog-opener.ts';
import './dialog.css';
import { passOnFocus } from './pass-on-focus.ts';

/**
 * The library would return the focus to the element that had it when the dialog was rendered. A menu entry is gone by
 * then.
 */
function useReturnOfFocus() {
  const given = useContext(DialogOpeners);
  // A dialog that a page renders itself has no openers: then the focus returns to the element that had it before.
  const [before] = useState(() => document.activeElement);
  return (event: Event) => {
    const openers = given ?? (before instanceof HTMLElement ? [before] : []);
    event.preventDefault();
    const { activeElement, body } = document;
    // The handler that closed it may have moved the focus already.
    if (
      activeElement === null ||
      activeElement === body ||
      activeElement.closest('[role$="dialog"]') !== null
    ) {
      const opener = openers.find((each) => each.isConnected && each !== body);
      const below = [...document.querySelectorAll<HTMLElement>('[role$="dialog"]')].findLast(
        (dialog) => dialog !== event.target,
      );
      (opener ?? below ?? document.getElementById('main'))?.focus({ preventScroll: true });
    }
  };
}

/** The focused element in a dialog may disappear: a revoked link, a submitted form. */
function useFocusKeptIn(content: HTMLElement | null): void {
  useEffect(() => (content === null ? undefined : passOnFocus(content, () => content)), [content]);
}

export interface DialogProps {
  /** Its accessible name and its heading. */
  readonly title: string;
  /** Shows the heading to screen readers only: for the palette and the drawer. */
  readonly hideTitle?: boolean;
  readonly description?: ReactNode;
  readonly size?: 'small' | 'medium' | 'large';
  /** `drawer` slides in from the inline start, `sheet` from the bottom: on phones. */
  readonly position?: 'centre' | 'top' | 'drawer' | 'sheet';
  /** The content loads later or changes size: the upper edge stays in position. */
  readonly grows?: boolean;
  /** Called on Escape, Cancel and a press outside. */
  onClose(): void;
  /** Ways to close it besides its buttons: by default Escape and a press outside. */
  readonly dismissible?: 'always' | 'by-keyboard' | 'never';
  /** Sets the initial focus if it is not the first control, for example a name with its stem selected. */
  focusFirst?(): void;
  readonly children: ReactNode;
}

/** A modal dialog: the focus moves in, stays in and returns. It is open while it is rendered. */
export function Dialog({
  title,
  hideTitle = false,
  description,
  size = 'small',
  position = 'centre',
  grows = false,
  onClose,
  dismissible = 'always',
  focusFirst,
  children,
}: DialogProps) {
  const returnFocus = useReturnOfFocus();
  const [content, setContent] = useState<HTMLElement | null>(null);
  useFocusKeptIn(content);
  return (
    <RadixDialog.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="ui-dialog-backdrop" />
        <RadixDialog.Content
          ref={setContent}
          className="ui-dialog"
          data-size={size}
          data-position={position}
          data-grows={grows || undefined}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          onCloseAutoFocus={returnFocus}
          onOpenAutoFocus={(event) => {
            if (focusFirst === undefined) return;
            event.preventDefault();
            focusFirst();
          }}
          onEscapeKeyDown={(event) => (dismissible === 'never' ? event.preventDefault() : undefined)}
          onInteractOutside={(event) => (dismissible === 'always' ? undefined : event.preventDefault())}
        >
          <RadixDialog.Title className={hideTitle ? 'visually-hidden' : 'ui-dialog-title'}>
            {title}
          </RadixDialog.Title>
          {description === undefined ? null : (
            <RadixDialog.Description className="ui-dialog-description">{description}</RadixDialog.Description>
          )}
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

/** The buttons of a dialog; the primary one comes last. */
export function DialogButtons({ children }: { readonly children: ReactNode }) {
  return <div className="ui-dialog-buttons">{children}</div>;
}

export interface AlertDialogProps {
  readonly title: string;
  readonly text?: string | undefined;
  readonly action: string;
  readonly cancel?: string | undefined;
  onAction(): void;
  onCancel(): void;
  readonly children?: ReactNode;
}

/** Confirms an action that cannot be undone. The safe button has the focus. */
export function AlertDialog({
  title,
  text,
  action,
  cancel = ui.cancel,
  onAction,
  onCancel,
  children,
}: AlertDialogProps) {
  const returnFocus = useReturnOfFocus();
  return (
    <RadixAlert.Root open onOpenChange={(open) => (open ? undefined : onCancel())}>
      <RadixAlert.Portal>
        <RadixAlert.Overlay className="ui-dialog-backdrop" />
        <RadixAlert.Content
          className="ui-dialog"
          data-size="small"
          data-position="centre"
          onCloseAutoFocus={returnFocus}
          {...(text === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <RadixAlert.Title className="ui-dialog-title">{title}</RadixAlert.Title>
          {text === undefined ? null : (
            <RadixAlert.Description className="ui-dialog-description">{text}</RadixAlert.Description>
          )}
          {children}
          <DialogButtons>
            <RadixAlert.Cancel asChild>
              <Button>{cancel}</Button>
            </RadixAlert.Cancel>
            <Button kind="danger" onClick={onAction}>
              {action}
            </Button>
          </DialogButtons>
        </RadixAlert.Content>
      </RadixAlert.Portal>
    </RadixAlert.Root>
  );
}
