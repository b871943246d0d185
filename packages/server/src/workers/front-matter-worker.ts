import { answerQuestions } from '../concurrency/answer-questions.ts';
import { parseFrontMatter } from '../service/front-matter/parse-front-matter.ts';

answerQuestions(parseFrontMatter);
