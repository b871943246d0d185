// docs/decisions/0068-the-server-keeps-what-was-compiled.md
import { keepCompiled } from '../start/keep-compiled.ts';

// Only what is loaded after this is kept, so nothing else is imported here.
keepCompiled();
const { runProcess } = await import('./run-process.ts');
process.exitCode = await runProcess();
