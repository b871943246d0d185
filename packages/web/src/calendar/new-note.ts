import type { Day } from './calendar-days.ts';

/** Returns the text of a new note with this day in its front matter. */
export function newNote(day: Day): string {
  return `---\ndate: ${day}\n---\n\n`;
}

/** The first free name of `2026-11-20.md`, `2026-11-20 2.md`, … */
export function newNoteName(day: Day, isTaken: (name: string) => boolean): string {
  const first = `${day}.md`;
  if (!isTaken(first)) return first;
  for (let number = 2; ; number += 1) {
    const name = `${day} ${number}.md`;
    if (!isTaken(name)) return name;
  }
}
