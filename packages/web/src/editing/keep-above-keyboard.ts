/** Tells the style how much of the window the on-screen keyboard covers: the toolbar stands above it. */
export function keepAboveKeyboard(element: HTMLElement): () => void {
  const { visualViewport: shown } = window;
  if (shown === null) return () => undefined;
  const measure = () => {
    const covered = Math.max(0, window.innerHeight - shown.height - shown.offsetTop);
    element.parentElement?.style.setProperty('--edit-keyboard', `${covered}px`);
  };
  measure();
  shown.addEventListener('resize', measure);
  shown.addEventListener('scroll', measure);
  return () => {
    shown.removeEventListener('resize', measure);
    shown.removeEventListener('scroll', measure);
  };
}
