/** Whether the focus is in a menu, a dialog or a field: do not take it. The mode radio does not count. */
export function isFocusTaken(): boolean {
  const taken = '[role="menu"],[role$="dialog"],input:not([type="radio"]),textarea';
  return document.activeElement?.closest(taken) != null;
}
