import { answerQuestions } from '../concurrency/worker-pool.ts';
import { answerScan } from '../service/content-search/scan-job.ts';

answerQuestions(answerScan);
