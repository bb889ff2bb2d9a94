/** Hashnode's errors: a code in `extensions`, in an answer that is HTTP 200 all the same. */
import { GraphQLError } from 'graphql';

export function apiError(code: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}

export function unauthenticated(): GraphQLError {
  return apiError('UNAUTHENTICATED', 'You must be authenticated to perform this action.');
}

export function notOnPro(): GraphQLError {
  const message = 'Publication does not have an active Pro plan. Upgrade in your dashboard to access this via the API.';
  return apiError('FORBIDDEN', message);
}

export function badInput(message: string): GraphQLError {
  return apiError('BAD_USER_INPUT', message);
}
