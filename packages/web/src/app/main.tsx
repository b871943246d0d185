import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './base.css';
import '../themes/themes.css';
import { queryClient } from '../api/query-client.ts';
import { beginEarly } from './begin-early.ts';
import { router } from './routes.tsx';

// The style that a dialog's scroll lock adds carries the nonce of this document.
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
if (nonce !== undefined && nonce !== '') setNonce(nonce);

beginEarly(location.pathname);

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element for the app');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
