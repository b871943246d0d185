import { parentPort } from 'node:worker_threads';

/**
 * The body of a worker: answers the questions of its `WorkerPool` one after the other. An error of `answer` ends the thread.
 * @param transferOf buffers of the answer that are handed over rather than copied.
 */
export function answerQuestions<Question, Answer>(
  answer: (question: Question) => Answer | Promise<Answer>,
  transferOf: (answer: Answer) => readonly ArrayBuffer[] = () => [],
): void {
  const port = parentPort;
  if (port === null) throw new Error('questions are answered in a worker');
  port.on('message', async (question: Question) => {
    const answered = await answer(question);
    port.postMessage(answered, [...transferOf(answered)]);
  });
  // The time for an answer counts from here: loading code takes as long as it takes.
  port.postMessage('ready');
}
