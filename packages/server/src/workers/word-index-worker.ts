import { handleQuestions } from '../concurrency/worker-pool.ts';
import { runIndexQuery } from '../storage/word-index/sqlite-word-index.ts';

handleQuestions(runIndexQuery);
