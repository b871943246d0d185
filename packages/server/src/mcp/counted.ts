/** "1 thread", "2 threads": how many of a thing, as a sentence says it. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
