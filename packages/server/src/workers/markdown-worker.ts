import { answerQuestions } from '../concurrency/worker-pool.ts';
import { renderMarkdown } from '../http/pages/share/markdown/render-markdown.ts';

// The first text takes many times as long as those after it. It is rendered before the time of an answer counts, so that on
// a slow machine no visitor's text is taken for a hostile one.
renderMarkdown({ text: '# A title\n\nSome *text* with a [link](https://example.org).\n', neighbours: null });
answerQuestions(renderMarkdown);
