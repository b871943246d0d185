import { runHttpThread } from '../threads/run-http-thread.ts';

await runHttpThread();
