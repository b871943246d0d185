import { currentUser, signedInAgain } from '../api/session.ts';
import { unsavedTexts } from '../api/unsaved-texts.ts';
import { useStore } from '../store/store.ts';
import { account as texts } from '../text/en/account.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { SignInForm } from './SignInForm.tsx';

/** Shown over a page whose session has ended. The page keeps its state; only signing in closes the dialog. */
export function SignInDialog() {
  const unsaved = useStore(unsavedTexts);
  return (
    <Dialog
      title={texts.signInToGoOn}
      description={texts.signInToGoOnText}
      dismissible="never"
      onClose={() => undefined}
    >
      <SignInForm
        name={texts.signInToGoOn}
        knownEmail={currentUser()?.email ?? ''}
        otherButtons={
          unsaved.length === 0 ? null : (
            <Button
              onClick={() => {
                for (const text of unsaved) text.download();
              }}
            >
              {texts.downloadMyText}
            </Button>
          )
        }
        onSignedIn={signedInAgain}
      />
    </Dialog>
  );
}
