import { useBlocker } from '@tanstack/react-router';
import { ui as texts } from '../text/en/ui.ts';
import { askToConfirm } from './dialogs.ts';

/** Asks before the user leaves a page with unsaved changes, by navigation or by closing the tab. */
export function useLeaveGuard(hasChanges: boolean): void {
  useBlocker({
    enableBeforeUnload: () => hasChanges,
    shouldBlockFn: async ({ current, next }) => {
      if (!hasChanges || current.pathname === next.pathname) return false;
      const leaves = await askToConfirm({
        title: texts.leaveQuestion,
        text: texts.leaveText,
        action: texts.leaveAction,
        cancel: texts.stay,
      });
      return !leaves;
    },
  });
}
