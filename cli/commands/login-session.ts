/** Logs in with a password: opens a session, and creates the token that publishing requires. */
import { hostname } from 'node:os';
import type { CliContext } from '../context.ts';
import type { OriginCredentials, StoredSession } from '../credentials/stored-credentials.ts';
import { Failure } from '../failure.ts';
import type { Endpoint } from '../server/endpoint.ts';
import { GraphqlRejection, postGraphql } from '../server/graphql.ts';
import { isRecord, readText } from '../server/json.ts';
import { logInWithPassword } from '../server/session-tokens.ts';

export interface OpenedAccount {
  credentials: OriginCredentials;
  /** Messages about the token that publishing will use. */
  notes: string[];
  /** Revokes the session and the new token if they could not be stored. */
  rollback: () => Promise<void>;
}

/**
 * Logs in. `stored` holds the credentials of this server: a valid token is reused, and the
 * former session is ended.
 */
export async function openAccount(
  endpoint: Endpoint,
  person: { email: string; password: string },
  stored: OriginCredentials,
  context: CliContext,
): Promise<OpenedAccount> {
  const { signal } = context;
  const server = { endpoint, allowHttp: context.config.allowHttp };
  const tokens = await logInWithPassword({ ...server, signal }, person);
  const session: StoredSession = { ...tokens, email: person.email, endpoint: endpoint.graphqlUrl };
  const runGraphql = (query: string, variables: Record<string, unknown>, requestSignal: AbortSignal) =>
    postGraphql({
      ...server,
      accessToken: tokens.accessToken,
      query,
      variables,
      isRepeatable: false,
      signal: requestSignal,
    });
  let createdId: string | undefined;
  const rollback = async () => {
    // Also after Ctrl-C. If the server is unreachable, its session and token remain.
    const requestSignal = AbortSignal.timeout(ROLLBACK_TIMEOUT_MS);
    if (createdId !== undefined) await runGraphql(REVOKE_TOKEN, { id: createdId }, requestSignal).catch(ignoreFailure);
    await runGraphql(LOGOUT, {}, requestSignal).catch(ignoreFailure);
  };
  try {
    const token = await findToken(stored, (query, variables = {}) => runGraphql(query, variables, signal));
    createdId = token.createdId;
    if (stored.session !== undefined && stored.session.accessToken !== tokens.accessToken) {
      const former = { ...server, accessToken: stored.session.accessToken, isRepeatable: false, signal };
      await postGraphql({ ...former, query: LOGOUT, variables: {} }).catch(ignoreFailure);
    }
    return { credentials: { ...token.credentials, session }, notes: token.notes, rollback };
  } catch (error) {
    await rollback();
    throw error;
  }
}

/** Ends the session of the request. */
export const LOGOUT = 'mutation { logout }';
export const REVOKE_TOKEN = 'mutation ($id: ID!) { revokeDeveloperToken(id: $id) }';
const ROLLBACK_TIMEOUT_MS = 3_000;

const LIST_TOKENS = 'query { developerTokens { id isExpired } }';
const CREATE_TOKEN = 'mutation ($name: String!) { createDeveloperToken(name: $name) { id token } }';

interface TokenForPublishing {
  credentials: Pick<OriginCredentials, 'developerToken' | 'developerTokenId'>;
  createdId?: string;
  notes: string[];
}

type RunQuery = (query: string, variables?: Record<string, unknown>) => Promise<Record<string, unknown>>;

async function findToken(stored: OriginCredentials, runGraphql: RunQuery): Promise<TokenForPublishing> {
  const { developerToken, developerTokenId } = stored;
  if (developerToken !== undefined && developerTokenId === undefined) {
    return { credentials: {}, notes: ['Publishing still uses the developer token that you stored.'] };
  }
  try {
    if (developerTokenId !== undefined && (await isValid(developerTokenId, runGraphql)))
      return { credentials: {}, notes: [] };
    const name = `courant on ${hostname()}`.slice(0, MAX_NAME_CHARACTERS);
    const created = (await runGraphql(CREATE_TOKEN, { name })).createDeveloperToken;
    const [id, token] = isRecord(created) ? [readText(created.id), readText(created.token)] : [];
    if (id === undefined || token === undefined) return { credentials: {}, notes: [NO_TOKEN] };
    const notes = [`Created the developer token "${name}" for publishing. "courant logout" revokes it.`];
    return { credentials: { developerToken: token, developerTokenId: id }, createdId: id, notes };
  } catch (error) {
    // The session works without a token: the address is not confirmed yet, or there are too many
    // tokens.
    if (error instanceof GraphqlRejection) return { credentials: {}, notes: [`${error.message} ${NO_TOKEN}`] };
    throw error;
  }
}

/** Limit of the server. */
const MAX_NAME_CHARACTERS = 60;
const NO_TOKEN = 'To publish, store a developer token too: courant login --token';

async function isValid(tokenId: string, runGraphql: RunQuery): Promise<boolean> {
  const { developerTokens } = await runGraphql(LIST_TOKENS);
  const listed = Array.isArray(developerTokens) ? developerTokens.filter(isRecord) : [];
  return listed.some(({ id, isExpired }) => id === tokenId && isExpired === false);
}

function ignoreFailure(error: unknown): void {
  if (!(error instanceof Failure) && !(error instanceof DOMException)) throw error;
}
