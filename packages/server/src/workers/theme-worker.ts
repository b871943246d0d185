import { answerQuestions } from '../concurrency/answer-questions.ts';
import { answerTheme } from '../service/themes/answer-theme.ts';

answerQuestions(answerTheme);
