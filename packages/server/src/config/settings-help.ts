import { exampleOf, variableNames, variables } from './variables.ts';

/** Returns the output of `npm start -- --help`: every setting in the order of docs/operations.md. */
export function settingsHelp(): string {
  return [
    'Stoa, a shared file workspace for people and agents. Usage: npm start',
    '',
    'Settings are environment variables; docs/operations.md has details and the default of each.',
    ...variableNames.flatMap((name) => [
      '',
      `  ${exampleOf(name)}`,
      `      ${variables.shape[name].description}`,
    ]),
    '',
    'Operator commands: npm run admin -- --help',
    '',
  ].join('\n');
}
