// docs/speed.md
import { keepCompiled } from '../start/keep-compiled.ts';

// Only modules that are loaded after this are cached, so import nothing else here.
keepCompiled();
import('./run-process.ts').then(async ({ runProcess }) => {
  process.exitCode = await runProcess();
});
