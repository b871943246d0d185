import { answerQuestions } from '../concurrency/answer-questions.ts';
import { answerTheme } from '../service/themes/theme-cleaner.ts';

answerQuestions(answerTheme);
