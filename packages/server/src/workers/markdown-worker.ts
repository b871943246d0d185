import { handleQuestions } from '../concurrency/worker-pool.ts';
import { renderMarkdown } from '../http/pages/share/markdown/render-markdown.ts';

// The first text takes many times as long as later ones. It is rendered before any timeout runs, so that a slow machine
// does not treat a visitor's text as hostile.
renderMarkdown({ text: '# A title\n\nSome *text* with a [link](https://example.org).\n', neighbours: null });
handleQuestions(renderMarkdown);
