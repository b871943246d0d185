import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import {
  hiddenFolderName,
  ignoreRuleMaxBytes,
  ignoreRulesMax,
  ignoreRulesMaxBytes,
  isHiddenName,
  listedMax,
} from '@stoa/core';
import { readFolderSource } from '../config/source.ts';
import { openFolder, readIgnoreRules } from '../create-engine.ts';
import { acceptedRules } from '../engine/observe/active-rules.ts';
import { parsePathArgument } from '../files/path-argument.ts';
import { exitCodes } from '../output/exit-codes.ts';
import type { Host } from '../output/host.ts';
import { shownText } from '../output/shown-text.ts';
import { askWorking } from './ask-working.ts';
import type { AddCommand } from './context.ts';
import { parseTimeout } from './parse-words.ts';

const sharedName = '.stoaignore';
const sourceNames = {
  built_in: 'built in',
  shared: sharedName,
  private: `${hiddenFolderName}/ignore`,
} as const;

export const addIgnore: AddCommand = ({ command, act }) => {
  const ignore = command('ignore', 'show and change the rules for ignored files');
  ignore
    .command('list', { isDefault: true })
    .description('list ignore rules, lowest precedence first')
    .action(
      act(async ({ host, output, dir }) => {
        const { folder } = await readFolderSource(host.cwd, dir);
        const { rules, passedOver } = await readIgnoreRules(folder);
        output.data({ rules, passedOver });
        output.note(
          'A rule with ! in front takes one back. Never synced, whatever the rules say: .stoa, .git and other version control.',
        );
        for (const { source, pattern } of rules)
          output.line(`${sourceNames[source].padEnd(13)} ${shownText(pattern)}`);
        if (passedOver.length > 0) {
          output.line(
            `No effect: a rule has at most ${ignoreRuleMaxBytes} bytes, a file of rules ${ignoreRulesMax} rules of ${ignoreRulesMaxBytes} bytes together:`,
          );
          for (const { source, pattern } of passedOver.slice(0, listedMax))
            output.line(`${sourceNames[source].padEnd(13)} ${shownText(shortened(pattern))}`);
          if (passedOver.length > listedMax) output.line(`${passedOver.length - listedMax} more`);
        }
        return exitCodes.done;
      }),
    );
  ignore
    .command('why')
    .description('show the rule that ignores a path')
    .argument('<path>')
    .action(
      act(async ({ host, output, dir }, typed: string) => {
        const source = await readFolderSource(host.cwd, dir);
        const path = parsePathArgument({ source, cwd: host.cwd }, typed);
        const never = path.split('/').find(isHiddenName);
        if (never !== undefined) {
          output.data({ path, rule: { source: 'always', pattern: never } });
          output.line(`${shownText(path)} is never synced, whatever the rules say.`);
          return exitCodes.done;
        }
        const rule = (await readIgnoreRules(source.folder)).findRule(
          path,
          typed.endsWith('/') ? 'folder' : 'file',
        );
        output.data({ path, rule });
        output.line(
          rule === null
            ? `${shownText(path)} is not ignored.`
            : `${shownText(path)} is ignored by ${shownText(rule.pattern)} (${sourceNames[rule.source]}).`,
        );
        return exitCodes.done;
      }),
    );
  ignore
    .command('add')
    .description('add rules to .stoaignore, or with --private for this folder only')
    .argument('<pattern...>')
    .option('--private', 'only for this folder')
    .action(
      act(
        async (
          { host, output, dir },
          patterns: readonly string[],
          { private: own = false }: { readonly private?: boolean },
        ) => {
          const { folder } = await readFolderSource(host.cwd, dir);
          const file = own ? join(folder, hiddenFolderName, 'ignore') : join(folder, sharedName);
          await append(file, patterns, own ? 0o600 : 0o666);
          output.data({ file, patterns });
          output.line(
            `Added to ${own ? sourceNames.private : sourceNames.shared}: ${patterns.map(shownText).join(', ')}`,
          );
          return exitCodes.done;
        },
      ),
    );
  ignore
    .command('accept')
    .description("accept another user's change of .stoaignore that would share files, or stop syncing some")
    .addOption(parseTimeout())
    .action(
      act(async ({ host, output, dir }, { timeout }: { readonly timeout?: number }) => {
        const { folder } = await readFolderSource(host.cwd, dir);
        await accept(host, folder, timeout);
        output.data({ accepted: true });
        output.line('Accepted: the next sync goes by .stoaignore as it is now.');
        return exitCodes.done;
      }),
    );
  return ignore;
};

const shownMaxCharacters = 80;

function shortened(pattern: string): string {
  return pattern.length > shownMaxCharacters ? `${pattern.slice(0, shownMaxCharacters)}…` : pattern;
}

async function accept(host: Host, folder: string, seconds: number | undefined): Promise<void> {
  const opened = await openFolder(folder);
  if (opened === null) return void (await askWorking(host, folder, { kind: 'accept_ignore' }, seconds));
  try {
    const values = acceptedRules(await opened.local.readIgnoreRules());
    await opened.store.commit([{ table: 'meta', values }], 'durable');
  } finally {
    await opened[Symbol.asyncDispose]();
  }
}

/** Appends rules, each on its own line. Never follows a symlink. */
async function append(file: string, patterns: readonly string[], mode: number): Promise<void> {
  const handle = await open(
    file,
    constants.O_CREAT | constants.O_RDWR | constants.O_APPEND | constants.O_NOFOLLOW,
    mode,
  );
  try {
    const { size } = await handle.stat();
    const last = Buffer.alloc(1);
    if (size > 0) await handle.read(last, 0, 1, size - 1);
    const begins = size > 0 && last.toString() !== '\n' ? '\n' : '';
    await handle.write(`${begins}${patterns.join('\n')}\n`);
  } finally {
    await handle.close();
  }
}
