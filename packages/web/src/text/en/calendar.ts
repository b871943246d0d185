/** Texts of the calendar. */
export const calendar = {
  previous: 'Previous month',
  next: 'Next month',
  today: 'Today',
  newNote: (date: string) => `New note on ${date}`,
  showAll: (count: number, date: string) => `Show all ${count} on ${date}`,
  undated: 'Undated',
  undatedEmpty: 'Every note here has a date.',
  changeDate: 'Change date',
  changeDateOf: (name: string) => `Change date of ${name}`,
  date: 'Date',
  change: 'Change',
  notADay: 'There is no such day.',
  changed: (name: string, date: string) => `${name} is now on ${date}.`,
} as const;
