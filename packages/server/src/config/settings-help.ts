import { variables } from './variables.ts';

/** Returns the output of `npm start -- --help`: every setting in the order of docs/operations.md. */
export function settingsHelp(): string {
  const settings = Object.values(variables).flatMap(({ name, says, example }) => [
    '',
    `  ${name}=${example}`,
    `      ${says}`,
  ]);
  return [
    'Stoa, a shared file workspace for people and agents. Usage: npm start',
    '',
    'Settings are environment variables; docs/operations.md has details and the default of each.',
    ...settings,
    '',
    'Operator commands: npm run admin -- --help',
    '',
  ].join('\n');
}
