import { signOut } from '../api/session.ts';
import { unsavedTexts } from '../api/unsaved-texts.ts';
import { account as texts } from '../text/en/account.ts';
import { ui } from '../text/en/ui.ts';
import { askToConfirm } from '../ui/dialogs.ts';
import { notify } from '../ui/notices.ts';

/** Signs out; asks first if a text is unsaved. Returns whether the user is signed out. */
export async function askAndSignOut(): Promise<boolean> {
  if (unsavedTexts.get().length > 0) {
    const goesOn = await askToConfirm({
      title: texts.signOutWithoutSaving,
      text: texts.signOutWithoutSavingText,
      action: texts.signOut,
      cancel: texts.stay,
    });
    if (!goesOn) return false;
  }
  try {
    await signOut();
    return true;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    notify({ failure: true, text: ui.notPossible(texts.signOut, message) });
    return false;
  }
}
