import { AlertDialog as RadixAlert, Dialog as RadixDialog } from 'radix-ui';
import { type ReactNode, useContext, useEffect, useState } from 'react';
import { ui } from '../text/en/ui.ts';
import { Button } from './Button.tsx';
import { DialogOpeners } from './dialog-opener.ts';
import './dialog.css';
import { passOnFocus } from './pass-on-focus.ts';

/** The library would go back to what had the focus when the dialog was drawn: an entry of a menu is gone by then. */
function useReturnOfFocus() {
  const given = useContext(DialogOpeners);
  // A page that draws a dialog itself names nothing: then it is what has the focus before the dialog takes it.
  const [before] = useState(() => document.activeElement);
  return (event: Event) => {
    const openers = given ?? (before instanceof HTMLElement ? [before] : []);
    event.preventDefault();
    const { activeElement, body } = document;
    // Whoever closed it may have sent the focus elsewhere already.
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

/** What had the focus in a dialog may go: a link that was revoked, a form that was sent. */
function useFocusKeptIn(content: HTMLElement | null): void {
  useEffect(() => (content === null ? undefined : passOnFocus(content, () => content)), [content]);
}

export interface DialogProps {
  /** Its name, and its heading. */
  readonly title: string;
  /** The heading is only for those who hear it: the palette, the drawer. */
  readonly hideTitle?: boolean;
  readonly description?: ReactNode;
  readonly size?: 'small' | 'medium' | 'large';
  /** `drawer` comes from the beginning of the line, `sheet` from below: on phones. */
  readonly place?: 'centre' | 'top' | 'drawer' | 'sheet';
  /** What is in it comes later, or changes as it is used: its upper edge stays where it is. */
  readonly grows?: boolean;
  /** Escape, Cancel, a press outside. */
  onClose(): void;
  /** What closes it besides its buttons: Escape, and by default a press outside too. */
  readonly dismissible?: 'always' | 'by-keyboard' | 'never';
  /** Where the focus goes at first, when that is not the first control: a name with its stem selected. */
  focusFirst?(): void;
  readonly children: ReactNode;
}

/** A dialog: focus goes in, stays in and comes back. It is open for as long as it is drawn. */
export function Dialog({
  title,
  hideTitle = false,
  description,
  size = 'small',
  place = 'centre',
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
          data-place={place}
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

/** The buttons of a dialog, the one that does it last. */
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

/** For what cannot be taken back. The safe answer has the focus. */
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
          data-place="centre"
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
