import { answerQuestions } from '../concurrency/worker-pool.ts';
import { answerIndexQuestion } from '../storage/content-index/sqlite-content-index.ts';

answerQuestions(answerIndexQuestion);
