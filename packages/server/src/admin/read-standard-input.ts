import { stdin } from 'node:process';
import { RejectedCommand } from './command.ts';

/**
 * Reads standard input to its end.
 * @throws RejectedCommand if it is longer than `maxCharacters`
 */
export async function readStandardInput(maxCharacters: number): Promise<string> {
  stdin.setEncoding('utf8');
  let text = '';
  for await (const chunk of stdin) {
    text += chunk;
    if (text.length > maxCharacters) {
      throw new RejectedCommand(`standard input is longer than ${maxCharacters} characters`);
    }
  }
  return text;
}
