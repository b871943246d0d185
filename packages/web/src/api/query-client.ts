import { StoaApiError } from '@stoa/client';
import { QueryClient } from '@tanstack/react-query';

/** Rejected requests are not retried. Failed connections are, up to three tries. */
const triesMax = 3;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < triesMax && !isRejected(error),
      staleTime: 30_000,
    },
    // Without a response it is unknown whether a change was made: the user or the save engine decides.
    mutations: { retry: false },
  },
});

function isRejected(error: Error): boolean {
  return error instanceof StoaApiError && error.status < 500 && error.status !== 408 && error.status !== 429;
}
