import { answerQuestions } from '../concurrency/answer-questions.ts';
import { renderMarkdown } from '../http/pages/share/markdown/render-markdown.ts';

answerQuestions(renderMarkdown);
