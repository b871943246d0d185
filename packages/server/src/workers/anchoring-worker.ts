import { answerQuestions } from '../concurrency/worker-pool.ts';
import { answerAnchoring } from '../service/comments/anchoring.ts';

answerQuestions(answerAnchoring);
