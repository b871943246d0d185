import { handleQuestions } from '../concurrency/worker-pool.ts';
import { type Contents, listRows } from '../storage/word-index/index-lists.ts';

handleQuestions((contents: Contents) => contents.map(listRows));
