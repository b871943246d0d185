import { answerQuestions } from '../concurrency/worker-pool.ts';
import { renderMarkdown } from '../http/pages/share/markdown/render-markdown.ts';

answerQuestions(renderMarkdown);
