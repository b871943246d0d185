import { useQuery } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';

/** Whether accounts can be made here, and the address that the server is set up for. */
export function useSignUpState() {
  return useQuery({ queryKey: queryKeys.signUp, queryFn: ({ signal }) => client.readSignUp({ signal }) });
}
