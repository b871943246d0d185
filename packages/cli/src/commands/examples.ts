/** Common command lines and their effect, by command name. Shown below the command's help. */
export const examples: Readonly<Record<string, readonly (readonly [line: string, does: string])[]>> = {
  stoa: [
    ['stoa link files.example.org ~/Notes', 'link a folder: opens with a page in the app'],
    ['stoa sync -C ~/Notes', 'make both sides the same, once'],
    ['stoa watch -C ~/Notes', 'or keep them so'],
    ['stoa help sync', 'what one command takes'],
  ],
  link: [
    ['stoa link files.example.org', 'the folder you are in'],
    ['stoa link files.example.org ~/Notes', 'another one, made if missing'],
    [
      'printf %s "$KEY" | stoa link files.example.org --key-stdin --workspace ws_1',
      'with a key, as in a build',
    ],
  ],
  clone: [['stoa clone files.example.org', 'into a new folder called as the workspace']],
  sync: [
    ['stoa sync --dry-run', 'see first what would be done'],
    ['stoa sync', 'do it'],
    ['stoa sync --confirm', 'yes, those deletes are meant'],
  ],
  watch: [
    ['stoa watch', 'until Ctrl-C'],
    ['stoa watch --json', 'a line for each thing done, for a program'],
  ],
  status: [
    ['stoa status --verbose', 'also what is left out, and why'],
    ['stoa status --wait && make', 'go on once both sides are the same'],
  ],
  conflicts: [
    ['stoa conflicts', 'which copies there are'],
    ['stoa conflicts show "plan (conflicted copy …).md"', 'how one differs from its file'],
    ['stoa conflicts keep "plan (conflicted copy …).md" --mine', 'its text becomes the file'],
  ],
  log: [
    ['stoa log notes', 'what happened to one folder'],
    ['stoa log -f', 'as it happens'],
  ],
  trash: [
    ['stoa trash', 'what is in it'],
    ['stoa trash restore 3f2a', 'put one back'],
    ['stoa trash empty --older-than 7', 'remove what is older than a week'],
  ],
  ignore: [
    ["stoa ignore add '*.tmp' build/", 'for everybody, in .stoaignore'],
    ['stoa ignore add --private secret/', 'for this folder alone'],
    ['stoa ignore why build/out.js', 'which rule leaves it alone'],
  ],
  doctor: [
    ['stoa doctor', 'look, and change nothing'],
    ['stoa doctor --fix', 'do what it says that it would do'],
  ],
  unlink: [['stoa unlink -C ~/Notes', 'your files stay as they are']],
  ls: [
    ['stoa ls notes --long', 'version, size and type of each'],
    ["stoa ls --match 'notes/**/*.md'", 'by a pattern'],
  ],
  cat: [
    ['stoa cat notes/plan.md', 'as it is now'],
    ['stoa cat notes/plan.md --version 3', 'as it was'],
  ],
  put: [
    ['stoa put notes/new.md', 'in a linked folder: the file that is there'],
    ['echo hi | stoa put notes/new.md -', 'from standard input'],
    ['stoa put notes/plan.md plan.md --base 7', 'over version 7 and no other'],
  ],
  mv: [
    ['stoa mv notes/plan.md notes/plans/', 'into a folder'],
    ['stoa mv -r drafts notes', 'a folder with all that is in it'],
  ],
  rm: [
    ['stoa rm notes/old.md', 'one file'],
    ['stoa rm -r notes', 'a folder'],
  ],
  changes: [
    ['stoa changes', 'the newest 20'],
    ['stoa changes --since 4821 --json', 'all after one place, for a program'],
    ['stoa changes --follow', 'wait for more'],
  ],
  history: [['stoa history notes/plan.md', 'who wrote what, and when']],
  restore: [
    ['stoa restore notes/plan.md --version 3', 'the text of version 3 becomes the newest'],
    ['stoa restore notes/gone.md', 'a deleted file comes back'],
  ],
  mcp: [
    ['stoa mcp --show-config', 'what to put into the program that starts it'],
    ['stoa mcp --toolset files', 'only the tools for files'],
  ],
};

/** The examples for `--help`; empty without any. */
export function examplesText(name: string): string {
  const rows = examples[name] ?? [];
  if (rows.length === 0) return '';
  return ['', 'Examples:', ...rows.flatMap(([line, does]) => [`  # ${does}`, `  ${line}`])].join('\n');
}
