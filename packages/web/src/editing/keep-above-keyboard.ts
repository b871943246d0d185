/**
 * Exposes the height of the on-screen keyboard to the style sheet, which moves the toolbar and the notices above it.
 */
export function keepAboveKeyboard(): () => void {
  const { style } = document.documentElement;
  const { visualViewport: shown } = window;
  if (shown === null) return () => undefined;
  const measure = () => {
    const covered = Math.max(0, window.innerHeight - shown.height - shown.offsetTop);
    style.setProperty('--edit-keyboard', `${covered}px`);
  };
  measure();
  shown.addEventListener('resize', measure);
  shown.addEventListener('scroll', measure);
  return () => {
    shown.removeEventListener('resize', measure);
    shown.removeEventListener('scroll', measure);
    style.removeProperty('--edit-keyboard');
  };
}
