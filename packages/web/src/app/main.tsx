import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { shell } from '../text/en/shell.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element for the app');
createRoot(root).render(
  <StrictMode>
    <h1>{shell.product}</h1>
  </StrictMode>,
);
