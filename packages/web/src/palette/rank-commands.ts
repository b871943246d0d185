/** Commands whose words match the input, best first. Without input all of them, in their order. */
export function rankCommands<Command extends { readonly words: string }>(
  commands: readonly Command[],
  typed: string,
): readonly Command[] {
  const wanted = typed.trim().toLocaleLowerCase();
  if (wanted === '') return commands;
  return commands
    .map((command) => ({ command, worth: worthOf(command.words.toLocaleLowerCase(), wanted) }))
    .filter(({ worth }) => worth > 0)
    .sort((a, b) => b.worth - a.worth)
    .map(({ command }) => command);
}

const groups: Readonly<Record<string, number>> = { items: 0, page: 2, account: 3 };

/** Sorts by group: selected items, then the folder, the page, and the account; otherwise in their order. */
export function inGroups<Command extends { readonly id: string }>(
  commands: readonly Command[],
): readonly Command[] {
  const group = ({ id }: Command) => groups[id.split('.')[0] ?? ''] ?? 1;
  return commands.toSorted((a, b) => group(a) - group(b));
}

/** Removes duplicates by words, as a page and the menu of its item offer the same command. Keeps the one with keys. */
export function onceEach<Command extends { readonly words: string; readonly keys?: readonly string[] }>(
  commands: readonly Command[],
): readonly Command[] {
  const byWords = new Map<string, Command>();
  for (const command of commands) {
    if ((byWords.get(command.words)?.keys?.length ?? 0) === 0) byWords.set(command.words, command);
  }
  return [...byWords.values()];
}

/** 0 for no match, 4 for equal, 3 for a prefix, 2 for the start of a word, 1 for the characters in order with gaps. */
function worthOf(words: string, wanted: string): number {
  if (words === wanted) return 4;
  if (words.startsWith(wanted)) return 3;
  if (words.includes(` ${wanted}`)) return 2;
  let from = 0;
  for (const character of wanted.replaceAll(' ', '')) {
    const at = words.indexOf(character, from);
    if (at === -1) return 0;
    from = at + character.length;
  }
  return 1;
}
