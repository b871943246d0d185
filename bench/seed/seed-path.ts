const areas = ['projects', 'clients', 'research', 'archive', 'handbook', 'engineering', 'finance', 'people'];
const topics = [
  'onboarding',
  'roadmap',
  'Quarterly Review',
  'incident-reports',
  'design_notes',
  'MeetingMinutes',
  'contracts',
  'budgets',
  'interviews',
  'release plans',
  'customer-feedback',
  'travel',
];
const subjects = [
  'summary',
  'draft',
  'Final Report',
  'agenda',
  'follow-up',
  'invoice',
  'README',
  'changelog',
  'architecture',
  'retrospective',
  'proposal',
  'checklist',
  'budgetSheet',
  'action_items',
  'transcript',
  'index',
  'overview',
];
const endings = ['md', 'md', 'md', 'txt', 'json', 'csv', 'html'];
const filesPerFolder = 24;

/**
 * Returns the path of the seeded tree's file with this number, the same in every run. Folders are three deep, have
 * about two dozen files each and names like those of people and agents. Consecutive numbers are in distant folders,
 * like real writes.
 */
export function seedPath(number: number): string {
  const scattered = Math.imul(number + 1, 0x9e3779b1) >>> 0;
  // The folder is one of all folders of a tree of this size, so that folders stay equally full as it grows.
  const folder = scattered % Math.max(1, Math.ceil((number + 1) / filesPerFolder));
  const area = at(areas, folder);
  const topic = at(topics, Math.floor(folder / areas.length));
  const subject = at(subjects, scattered >>> 8);
  const ending = at(endings, scattered >>> 16);
  return `${area}/${topic}/${String(folder).padStart(6, '0')}/${subject} ${number}.${ending}`;
}

function at(words: readonly string[], index: number): string {
  const word = words[index % words.length];
  if (word === undefined) throw new Error('no words');
  return word;
}
