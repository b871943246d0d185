import { answerQuestions } from '../concurrency/worker-pool.ts';
import { parseFrontMatter } from '../service/front-matter/parse-front-matter.ts';

answerQuestions(parseFrontMatter);
