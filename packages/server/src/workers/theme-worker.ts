import { answerQuestions } from '../concurrency/worker-pool.ts';
import { answerTheme } from '../service/themes/answer-theme.ts';

answerQuestions(answerTheme);
