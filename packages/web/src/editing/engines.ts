import { createEngines } from '../saving/open-engines.ts';
import { textDocuments } from './text-documents.ts';

/** The save engines of this page's editors. */
export const engines = createEngines(textDocuments);
