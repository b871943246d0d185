import { handleQuestions } from '../concurrency/worker-pool.ts';
import type { ScannerQuestion } from '../service/content-search/content-scanner.ts';
import { examineTexts } from '../service/content-search/examine-text.ts';
import { runScan } from '../service/content-search/scan-job.ts';

handleQuestions((question: ScannerQuestion) =>
  'scan' in question ? runScan(question.scan) : examineTexts(question.examine),
);
