import { Command } from 'commander';
import manifest from '../package.json' with { type: 'json' };

/** The commands of `stoa`, none of them run yet. */
export function createProgram(): Command {
  return new Command('stoa').description(manifest.description).version(manifest.version);
}
