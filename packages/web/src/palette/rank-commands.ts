/** Commands whose words fit what was typed, best first. All of them, in their order, when nothing was typed. */
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

/** The items that are selected first, then the place, what is shown there, and last the person; else in their order. */
export function inGroups<Command extends { readonly id: string }>(
  commands: readonly Command[],
): readonly Command[] {
  const group = ({ id }: Command) => groups[id.split('.')[0] ?? ''] ?? 1;
  return commands.toSorted((a, b) => group(a) - group(b));
}

/** What a page and the menu of what it shows offer in the same words is one: the one that has keys. */
export function onceEach<Command extends { readonly words: string; readonly keys?: readonly string[] }>(
  commands: readonly Command[],
): readonly Command[] {
  const byWords = new Map<string, Command>();
  for (const command of commands) {
    if ((byWords.get(command.words)?.keys?.length ?? 0) === 0) byWords.set(command.words, command);
  }
  return [...byWords.values()];
}

/** 0 for words that do not fit: 4 whole, 3 from the start, 2 from the start of a word, 1 in order and apart. */
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
