// docs/decisions/0068-the-server-keeps-what-was-compiled.md
import { keepCompiled } from '../start/keep-compiled.ts';

// Only what is loaded after this is kept, so nothing else is imported here.
keepCompiled();
import('./run-process.ts').then(async ({ runProcess }) => {
  process.exitCode = await runProcess();
});
