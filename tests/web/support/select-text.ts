import type { Locator } from 'playwright-core';

/** Selects from the beginning of one text to the end of another, as a person or a script would. */
export async function selectText(shown: Locator, from: string, to: string, skip = 0): Promise<void> {
  await shown.evaluate(
    (element, { from, to, skip }) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      let left = skip;
      let begun = false;
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const text = node.textContent ?? '';
        if (!begun && text.includes(from)) {
          if (left > 0) {
            left -= 1;
            continue;
          }
          range.setStart(node, text.indexOf(from));
          begun = true;
        }
        if (begun && text.includes(to)) {
          range.setEnd(node, text.lastIndexOf(to) + to.length);
          break;
        }
      }
      getSelection()?.removeAllRanges();
      getSelection()?.addRange(range);
    },
    { from, to, skip },
  );
}
