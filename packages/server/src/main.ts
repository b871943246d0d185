// docs/speed.md
import { keepCompiled } from './start/keep-compiled.ts';

// Only modules that are loaded after this are cached, so no other module is imported here.
keepCompiled();
if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
  import('./config/settings-help.ts').then(({ settingsHelp }) => process.stdout.write(settingsHelp()));
} else {
  import('./serve.ts').then(({ serve }) => serve());
}
