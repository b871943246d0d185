import { parentPort, workerData } from 'node:worker_threads';
import { answerTheme } from './service/themes/answer-theme.ts';

parentPort?.postMessage(answerTheme(String(workerData)));
