import { handleQuestions } from '../concurrency/worker-pool.ts';
import { runAnchoring } from '../service/comments/anchoring.ts';

handleQuestions(runAnchoring);
