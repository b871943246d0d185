import { answerQuestions } from '../concurrency/answer-questions.ts';
import { answerIndexQuestion } from '../storage/content-index/sqlite-content-index.ts';

answerQuestions(answerIndexQuestion);
