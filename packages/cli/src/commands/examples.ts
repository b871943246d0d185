/** Common command lines and their effect, by command name. Shown below the command's help. */
export const examples: Readonly<Record<string, readonly (readonly [line: string, does: string])[]>> = {
  stoa: [
    ['stoa link files.example.org ~/Notes', 'link a folder; you approve it in the app'],
    ['stoa sync -C ~/Notes', 'sync both sides once'],
    ['stoa watch -C ~/Notes', 'keep them in sync'],
    ['stoa help sync', 'show the options of a command'],
  ],
  link: [
    ['stoa link files.example.org', 'link the current folder'],
    ['stoa link files.example.org ~/Notes', 'link another folder, created if missing'],
    [
      'printf %s "$KEY" | stoa link files.example.org --key-stdin --workspace ws_1',
      'link with a key, for example in a build',
    ],
  ],
  clone: [['stoa clone files.example.org', 'clone into a new folder named like the workspace']],
  sync: [
    ['stoa sync --dry-run', 'preview the changes'],
    ['stoa sync', 'apply them'],
    ['stoa sync --confirm', 'confirm the deletes'],
  ],
  watch: [
    ['stoa watch', 'until Ctrl-C'],
    ['stoa watch --json', 'print a line for each action, for a program'],
  ],
  status: [
    ['stoa status --verbose', 'also skipped files, with the reason'],
    ['stoa status --wait && make', 'continue once both sides are the same'],
  ],
  conflicts: [
    ['stoa conflicts', 'list the copies'],
    ['stoa conflicts show "plan (conflicted copy …).md"', 'show the differences between a copy and its file'],
    ['stoa conflicts keep "plan (conflicted copy …).md" --mine', 'use the copy as the file'],
  ],
  log: [
    ['stoa log notes', 'actions in one folder'],
    ['stoa log -f', 'follow new entries'],
  ],
  trash: [
    ['stoa trash', 'list its contents'],
    ['stoa trash restore 3f2a', 'restore an item'],
    ['stoa trash empty --older-than 7', 'delete items older than a week'],
  ],
  ignore: [
    ["stoa ignore add '*.tmp' build/", 'for all users, in .stoaignore'],
    ['stoa ignore add --private secret/', 'for this folder only'],
    ['stoa ignore why build/out.js', 'show the rule that ignores it'],
  ],
  doctor: [
    ['stoa doctor', 'look for problems, and change nothing'],
    ['stoa doctor --fix', 'apply the fixes that it lists'],
  ],
  unlink: [['stoa unlink -C ~/Notes', 'unlink; your files stay']],
  ls: [
    ['stoa ls notes --long', 'version, size and type of each'],
    ["stoa ls --match 'notes/**/*.md'", 'filter by a pattern'],
  ],
  find: [
    ['stoa find budget launch', 'files with both words, in any order'],
    [`stoa find '"launch plan" -draft in:notes/ type:md'`, 'a phrase, a word to exclude, filters'],
    ['stoa find -l budget | head -1', 'the path of the best result'],
  ],
  cat: [
    ['stoa cat notes/plan.md', 'the current version'],
    ['stoa cat notes/plan.md --version 3', 'an earlier version'],
  ],
  put: [
    ['stoa put notes/new.md', 'the local file of a linked folder'],
    ['echo hi | stoa put notes/new.md -', 'from standard input'],
    ['stoa put notes/plan.md plan.md --base 7', 'replace version 7 only'],
  ],
  mv: [
    ['stoa mv notes/plan.md notes/plans/', 'into a folder'],
    ['stoa mv -r drafts notes', 'move a folder with its contents'],
  ],
  rm: [
    ['stoa rm notes/old.md', 'one file'],
    ['stoa rm -r notes', 'a folder'],
  ],
  changes: [
    ['stoa changes', 'the newest 20'],
    ['stoa changes --since 4821 --json', 'all changes after one number, for a program'],
    ['stoa changes --follow', 'wait for more'],
  ],
  history: [['stoa history notes/plan.md', 'show who wrote each version, and when']],
  restore: [
    ['stoa restore notes/plan.md --version 3', 'make version 3 the newest'],
    ['stoa restore notes/gone.md', 'restore a deleted file'],
  ],
  mcp: [
    ['stoa mcp --show-config', 'print the configuration for the program that starts it'],
    ['stoa mcp --toolset files', 'only the tools for files'],
  ],
};

/** The examples for `--help`; empty without any. */
export function examplesText(name: string): string {
  const rows = examples[name] ?? [];
  if (rows.length === 0) return '';
  return ['', 'Examples:', ...rows.flatMap(([line, does]) => [`  # ${does}`, `  ${line}`])].join('\n');
}
