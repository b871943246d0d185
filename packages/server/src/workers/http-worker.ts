import { runHttpThread } from '../threads/run-http-thread.ts';

void runHttpThread();
