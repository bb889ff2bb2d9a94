/** Hashnode's errors: a code in `extensions`; the HTTP status is 200 nevertheless. */
import { GraphQLError } from 'graphql';

export function buildApiError(code: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}

export function buildUnauthenticated(): GraphQLError {
  return buildApiError('UNAUTHENTICATED', 'You must be authenticated to perform this action.');
}

export function buildNotOnPro(): GraphQLError {
  const message = 'Publication does not have an active Pro plan. Upgrade in your dashboard to access this via the API.';
  return buildApiError('FORBIDDEN', message);
}

export function buildBadInput(message: string): GraphQLError {
  return buildApiError('BAD_USER_INPUT', message);
}
