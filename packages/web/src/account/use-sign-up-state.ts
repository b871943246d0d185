import { useQuery } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';

/** Whether accounts can be created here, and the configured address of the server. */
export function useSignUpState() {
  return useQuery({ queryKey: queryKeys.signUp, queryFn: ({ signal }) => client.readSignUp({ signal }) });
}
