import { handleQuestions } from '../concurrency/worker-pool.ts';
import { renderMarkdown } from '../http/pages/share/markdown/render-markdown.ts';

/** Most kinds of elements, often enough that their code is compiled. */
const ordinary =
  '# A title\n\nSome *text* with a [link](b.md) to https://example.org and `code`.[^1]\n\n- [ ] one\n- **two**\n\n| a | b |\n| - | -: |\n| c | d |\n\n> ```\n> text\n> ```\n\n[^1]: A note.\n\n';

// The first text takes many times as long as later ones. It is rendered before any timeout runs, so that a slow machine
// does not treat a visitor's text as hostile.
renderMarkdown({ text: ordinary.repeat(10), neighbours: null });
handleQuestions(renderMarkdown);
