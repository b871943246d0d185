import { handleQuestions } from '../concurrency/worker-pool.ts';
import { handleTheme } from '../service/themes/handle-theme.ts';

handleQuestions(handleTheme);
