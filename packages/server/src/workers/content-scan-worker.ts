import { handleQuestions } from '../concurrency/worker-pool.ts';
import { runScan } from '../service/content-search/scan-job.ts';

handleQuestions(runScan);
