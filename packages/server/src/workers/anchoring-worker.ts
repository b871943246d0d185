import { answerQuestions } from '../concurrency/answer-questions.ts';
import { answerAnchoring } from '../service/comments/anchoring.ts';

answerQuestions(answerAnchoring);
