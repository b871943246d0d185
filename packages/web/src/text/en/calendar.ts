/** Texts of the calendar. */
export const calendar = {
  previous: 'Previous month',
  next: 'Next month',
  today: 'Today',
  newNote: (date: string) => `New note on ${date}`,
  showAll: (count: number, date: string) => `Show all ${count} on ${date}`,
  more: (count: number) => `${count} more`,
  notText: 'This note is not text.',
  workspaceFull: 'The workspace is full.',
  somebodyWasFaster: 'Others kept writing to it. Try again.',
  undated: 'Undated',
  undatedEmpty: 'Every note here has a date.',
  changeDateOf: (name: string) => `Change date of ${name}`,
  date: 'Date',
  change: 'Change',
  notADay: 'There is no such day.',
  changed: (name: string, date: string) => `${name} is now on ${date}.`,
} as const;
