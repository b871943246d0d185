import { useEffect, useRef } from 'react';
import { createStore, serverResponds } from '../store/store.ts';
import { ui } from '../text/en/ui.ts';
import { sayWhyNot } from './notices.ts';

/** A command, with the same words in menus, the palette and for keys. */
export interface Command {
  /** Unique among registered commands: `files.new-file`. */
  readonly id: string;
  /** As on its control: `New file`. */
  readonly words: string;
  /** `Mod+K`, `g h`, `Shift+N`, `?`. Mod is Ctrl, on a Mac ⌘. */
  readonly keys?: readonly string[];
  /** Whether it is available now; by default always. */
  when?(): boolean;
  /** Disabled while the server does not respond. */
  readonly needsServer?: boolean;
  /** Why it is disabled, as a message for the user; null if it is not. */
  disabled?(): string | null;
  /** Not in the palette, only by its keys, because it acts on the focused element. */
  readonly keysOnly?: boolean;
  run(): void;
}

export const registeredCommands = createStore<readonly Command[]>([]);

/** The last command registered with an id wins, so that a page can override one while it is shown. */
export function registerCommands(commands: readonly Command[]): () => void {
  registeredCommands.set([...registeredCommands.get(), ...commands]);
  return () => {
    const gone = new Set(commands);
    registeredCommands.set(registeredCommands.get().filter((command) => !gone.has(command)));
  };
}

/** Registers commands while a component is mounted. They always run with the latest props. */
export function useCommands(commands: readonly Command[]): void {
  const latest = useRef(commands);
  latest.current = commands;
  const shape = JSON.stringify(commands.map(({ id, words, keys, keysOnly }) => [id, words, keys, keysOnly]));
  // Compared by shape: the functions are looked up when a command runs.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => registerCommands(latest.current.map((command) => followed(command, latest))), [shape]);
  const reasons = JSON.stringify(commands.map(({ disabled }) => disabled?.() ?? null));
  // Buttons and menus elsewhere show whether a command can run, so notify them when that changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => registeredCommands.set([...registeredCommands.get()]), [reasons]);
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

/** The available commands, one per id. */
export function availableCommands(): readonly Command[] {
  const byId = new Map(registeredCommands.get().map((command) => [command.id, command]));
  return [...byId.values()].filter((command) => command.when?.() ?? true).map(judged);
}

/** Adds a reason to the command while the server does not respond. */
function judged(command: Command): Command {
  if (command.needsServer !== true) return command;
  const disabled = () => command.disabled?.() ?? (serverResponds.get() ? null : ui.notWhileOffline);
  return { ...command, disabled };
}

export function runCommand(id: string): void {
  const command = availableCommands().find((candidate) => candidate.id === id);
  if (command !== undefined) perform(command);
}

/** Runs a command, or shows why it is disabled. */
export function perform(command: Command): void {
  const reason = judged(command).disabled?.() ?? null;
  if (reason === null) command.run();
  else sayWhyNot(reason);
}
