import { handleQuestions } from '../concurrency/worker-pool.ts';
import { runIndexQuery } from '../storage/content-index/sqlite-content-index.ts';

handleQuestions(runIndexQuery);
