import { handleQuestions } from '../concurrency/worker-pool.ts';
import { runEditing } from '../service/editing/edit-job.ts';

handleQuestions(runEditing, (response) =>
  'content' in response && response.content !== null ? [response.content.buffer] : [],
);
