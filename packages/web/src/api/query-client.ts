import { StoaApiError } from '@stoa/client';
import { QueryClient } from '@tanstack/react-query';

/** A refusal is the same the next time; what did not arrive may, and is asked for three times. */
const triesMax = 3;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < triesMax && !isRefused(error),
      staleTime: 30_000,
    },
    // Whether a change was made is not known when no answer came: a person or the save engine decides.
    mutations: { retry: false },
  },
});

function isRefused(error: Error): boolean {
  return error instanceof StoaApiError && error.status < 500 && error.status !== 408 && error.status !== 429;
}
