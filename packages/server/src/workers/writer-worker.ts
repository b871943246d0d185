import { scripts } from '../service/scripts.ts';
import { runWriter } from '../storage/sqlite/run-writer.ts';

// The composition root of the writer thread: connects the transaction scripts and the database.
runWriter(scripts);
