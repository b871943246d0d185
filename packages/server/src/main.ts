// docs/decisions/0068-the-server-keeps-what-was-compiled.md
import { keepCompiled } from './start/keep-compiled.ts';

// Only what is loaded after this is kept, so nothing else is imported here.
keepCompiled();
if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
  const { settingsHelp } = await import('./config/settings-help.ts');
  process.stdout.write(settingsHelp());
} else {
  const { serve } = await import('./serve.ts');
  await serve();
}
