import { answerQuestions } from '../concurrency/answer-questions.ts';
import { answerScan } from '../service/content-search/scan-job.ts';

answerQuestions(answerScan);
