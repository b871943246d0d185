// docs/decisions/0068-the-server-keeps-what-was-compiled.md
import { keepCompiled } from './start/keep-compiled.ts';

// Only what is loaded after this is kept, so nothing else is imported here.
keepCompiled();
if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
  import('./config/settings-help.ts').then(({ settingsHelp }) => process.stdout.write(settingsHelp()));
} else {
  import('./serve.ts').then(({ serve }) => serve());
}
