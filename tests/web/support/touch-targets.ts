import type { Page } from 'playwright-core';

/** The side of the smallest touch target, in CSS pixels. */
const sidePx = 44;

/** Controls that are smaller on purpose. Links and marks within a text are exempt: they would spread its lines. */
const exceptions: readonly { readonly selector: string; readonly because: string }[] = [
  {
    selector: '.calendar-grid :is(a, button)',
    because: 'a day is 50 px wide at 390 px: its row holds several',
  },
  { selector: '.app-skip', because: 'it is there for the keyboard alone' },
  { selector: '.cm-content *', because: 'they stand within the lines of a text' },
  { selector: '.stoa-content *', because: 'they stand within the lines of a text' },
];

/** Returns the controls of the page that are too small, with their names and sizes. */
export async function smallTargets(page: Page): Promise<readonly string[]> {
  return await page.evaluate(
    ({ side, except }) => {
      const controls = `a[href], button, input, select, textarea, summary,
        [role="tab"], [role="option"], [role="treeitem"], [role="menuitem"], [role="switch"]`;
      const isLarge = ({ width, height }: DOMRect) => width >= side - 0.5 && height >= side - 0.5;
      const isShown = (element: Element) => {
        const { width, height } = element.getBoundingClientRect();
        const isDrawn = element.checkVisibility({ visibilityProperty: true });
        if (!isDrawn || width <= 1 || height <= 1) return false;
        if (element.closest('[inert], [aria-hidden="true"]') !== null) return false;
        // Content for screen readers only is clipped.
        for (let at: Element | null = element; at !== null; at = at.parentElement) {
          if (getComputedStyle(at).clipPath !== 'none') return false;
        }
        return true;
      };
      /** A control within a line of text. */
      const isInText = (element: Element) =>
        getComputedStyle(element).display === 'inline' &&
        [...(element.parentElement?.childNodes ?? [])].some(
          (node) => node instanceof Text && /\w/.test(node.data),
        );
      /** Whether the area around the centre belongs to the control: its label, its cell, or the control. */
      const isHitAround = (element: Element, belongs: readonly Element[]) => {
        element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
        const { left, top, width, height } = element.getBoundingClientRect();
        const [x, y, far] = [left + width / 2, top + height / 2, side / 2 - 1];
        return [
          [x - far, y],
          [x + far, y],
          [x, y - far],
          [x, y + far],
        ].every(([px = 0, py = 0]) => {
          const hit = document.elementFromPoint(px, py);
          return hit !== null && belongs.some((each) => each.contains(hit));
        });
      };
      return [...document.querySelectorAll(controls)]
        .filter((element) => isShown(element) && !element.matches(except) && !isInText(element))
        .filter((element) => {
          const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
          // In a list the whole cell counts.
          const cell = element.matches('[type="checkbox"]') ? element.closest('[role="gridcell"]') : null;
          const belongs = [element, ...labels, ...(cell === null ? [] : [cell])];
          if (belongs.some((each) => isLarge(each.getBoundingClientRect()))) return false;
          return !isHitAround(element, belongs);
        })
        .map((element) => {
          const { width, height } = element.getBoundingClientRect();
          const name = element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 40);
          return `${element.localName}.${element.className} “${name}” ${Math.round(width)}×${Math.round(height)}`;
        });
    },
    { side: sidePx, except: exceptions.map(({ selector }) => selector).join(', ') },
  );
}
