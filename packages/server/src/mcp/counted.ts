/** A number with its noun: "1 thread", "2 threads". */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** "line 4", or "lines 4-6". */
export function linesText(from: number, to: number): string {
  return from === to ? `line ${from}` : `lines ${from}-${to}`;
}
