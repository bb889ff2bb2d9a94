/** Logs in with a password: opens a session, and creates the token that publishing requires. */
import { hostname } from 'node:os';
import type { CliContext } from '../context.ts';
import type { OriginCredentials } from '../credentials/stored-credentials.ts';
import { Failure } from '../failure.ts';
import type { Endpoint } from '../server/endpoint.ts';
import { GraphqlRejection, postGraphql } from '../server/graphql.ts';
import { isRecord, listRecords, readText } from '../server/json.ts';
import { describeServer, type RunGraphql } from '../server/session.ts';
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
  const server = describeServer(endpoint, context);
  const tokens = await logInWithPassword(server, person);
  const session = { ...tokens, email: person.email, endpoint: endpoint.graphqlUrl };
  const run = ({ accessToken } = tokens, signal = context.signal): RunGraphql => {
    return (query, variables = {}) => postGraphql({ ...server, accessToken, query, variables, signal });
  };
  let createdId: string | undefined;
  const rollback = async () => {
    // Also after Ctrl-C. If the server is unreachable, its session and token remain.
    const runLast = run(tokens, AbortSignal.timeout(ROLLBACK_TIMEOUT_MS));
    if (createdId !== undefined) await runLast(REVOKE_TOKEN, { id: createdId }).catch(ignoreFailure);
    await runLast(LOGOUT).catch(ignoreFailure);
  };
  try {
    const { credentials, notes } = await findToken(stored, run());
    createdId = credentials.developerTokenId;
    if (stored.session !== undefined && stored.session.accessToken !== tokens.accessToken)
      await run(stored.session)(LOGOUT).catch(ignoreFailure);
    return { credentials: { ...credentials, session }, notes, rollback };
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

/** The credentials are empty if no token was created. */
async function findToken(
  { developerToken, developerTokenId }: OriginCredentials,
  runGraphql: RunGraphql,
): Promise<Omit<OpenedAccount, 'rollback'>> {
  if (developerToken !== undefined && developerTokenId === undefined)
    return { credentials: {}, notes: ['Publishing still uses the developer token that you stored.'] };
  try {
    const known = developerTokenId === undefined ? [] : listRecords((await runGraphql(LIST_TOKENS)).developerTokens);
    if (known.some((token) => token.id === developerTokenId && token.isExpired === false))
      return { credentials: {}, notes: [] };
    const name = `courant on ${hostname()}`.slice(0, MAX_NAME_CHARACTERS);
    const created = (await runGraphql(CREATE_TOKEN, { name })).createDeveloperToken;
    const [id, token] = isRecord(created) ? [readText(created.id), readText(created.token)] : [];
    if (id === undefined || token === undefined) return { credentials: {}, notes: [NO_TOKEN] };
    const notes = [`Created the developer token "${name}" for publishing. "courant logout" revokes it.`];
    return { credentials: { developerToken: token, developerTokenId: id }, notes };
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

function ignoreFailure(error: unknown): void {
  if (!(error instanceof Failure) && !(error instanceof DOMException)) throw error;
}
