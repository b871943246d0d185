import { routes } from '@stoa/contract';
import { readFile } from '../../../service/files/read-file.ts';
import { operation } from '../../operation.ts';
import { readableAnswer } from './readable-answer.ts';

export const readFileOperation = operation(routes.readFile, async ({ deps, access, path, query, raw }) => {
  const readable = await readFile(deps.service, access, { path });
  return readableAnswer(raw, readable, query);
});

export const headFileOperation = operation(routes.headFile, async ({ deps, access, path, query, raw }) => {
  const readable = await readFile(deps.service, access, { path });
  return readableAnswer(raw, readable, query);
});
