import { useEffect, useRef } from 'react';
import { createStore, serverAnswers } from '../store/store.ts';
import { ui } from '../text/en/ui.ts';

/** Something that can be done here, by menu, palette and keys alike, in the same words. */
export interface Command {
  /** Unique among those registered: `files.new-file`. */
  readonly id: string;
  /** As on the control that does it: `New file`. */
  readonly words: string;
  /** `Mod+K`, `g h`, `Shift+N`, `?`. Mod is Ctrl, on a Mac ⌘. */
  readonly keys?: readonly string[];
  /** Whether it can be done now; left out, always. */
  when?(): boolean;
  /** Cannot be done while the server does not answer. */
  readonly needsServer?: boolean;
  /** Why it cannot be done now, for people to read; null when it can. */
  disabled?(): string | null;
  /** Only by its keys: not offered by the palette, because it is about what has the focus. */
  readonly keysOnly?: boolean;
  run(): void;
}

export const registeredCommands = createStore<readonly Command[]>([]);

/** The last one registered with an id counts, so that a page may take a command over while it is shown. */
export function registerCommands(commands: readonly Command[]): () => void {
  registeredCommands.set([...registeredCommands.get(), ...commands]);
  return () => {
    const gone = new Set(commands);
    registeredCommands.set(registeredCommands.get().filter((command) => !gone.has(command)));
  };
}

/** Registers commands while a component is shown. They always run as last drawn. */
export function useCommands(commands: readonly Command[]): void {
  const latest = useRef(commands);
  latest.current = commands;
  const shape = JSON.stringify(commands.map(({ id, words, keys, keysOnly }) => [id, words, keys, keysOnly]));
  // The shape stands for the commands: what they do is looked up when they run.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => registerCommands(latest.current.map((command) => followed(command, latest))), [shape]);
}

function followed(command: Command, latest: { readonly current: readonly Command[] }): Command {
  const now = () => latest.current.find(({ id }) => id === command.id) ?? command;
  return {
    ...command,
    when: () => now().when?.() ?? true,
    disabled: () => now().disabled?.() ?? null,
    run: () => now().run(),
  };
}

/** The commands that can be seen now, each id once. */
export function availableCommands(): readonly Command[] {
  const byId = new Map(registeredCommands.get().map((command) => [command.id, command]));
  return [...byId.values()].filter((command) => command.when?.() ?? true).map(judged);
}

function judged(command: Command): Command {
  if (command.needsServer !== true) return command;
  const disabled = () => command.disabled?.() ?? (serverAnswers.get() ? null : ui.notWhileOffline);
  return { ...command, disabled };
}

export function runCommand(id: string): void {
  const command = availableCommands().find((candidate) => candidate.id === id);
  if (command !== undefined && (command.disabled?.() ?? null) === null) command.run();
}
