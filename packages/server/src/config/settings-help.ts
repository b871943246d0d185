import { variables } from './variables.ts';

/** What `npm start -- --help` prints: every setting in the order of docs/operations.md. */
export function settingsHelp(): string {
  const settings = Object.values(variables).flatMap(({ name, says, example }) => [
    '',
    `  ${name}=${example}`,
    `      ${says}`,
  ]);
  return [
    'Stoa, a shared file workspace for people and agents. Usage: npm start',
    '',
    'Settings are environment variables; docs/operations.md says more, and what each is when unset.',
    ...settings,
    '',
    'Operator commands: npm run admin -- --help',
    '',
  ].join('\n');
}
