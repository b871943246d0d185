import { handleQuestions } from '../concurrency/worker-pool.ts';
import { parseFrontMatter } from '../service/front-matter/parse-front-matter.ts';

handleQuestions(parseFrontMatter);
