import { scripts } from '../service/scripts.ts';
import { runWriter } from '../storage/sqlite/run-writer.ts';

// The composition root of the writer's thread: the transaction scripts meet the database here.
runWriter(scripts);
