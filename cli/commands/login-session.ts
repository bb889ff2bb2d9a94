/** What logging in with a password gives: a session, and a developer token for publishing, which a session cannot do. */
import { hostname } from 'node:os';
import type { CliContext } from '../context.ts';
import type { OriginCredentials, StoredSession } from '../credentials/stored-credentials.ts';
import { Failure } from '../failure.ts';
import type { Endpoint } from '../server/endpoint.ts';
import { GraphqlRefusal, postGraphql } from '../server/graphql.ts';
import { isRecord, readText } from '../server/json.ts';
import { logInWithPassword } from '../server/session-tokens.ts';

export interface OpenedAccount {
  credentials: OriginCredentials;
  /** For the person: what publishing will use. */
  notes: string[];
  /** Ends at the server what could not be stored. */
  takeBack: () => Promise<void>;
}

/** Logs in. `before` is what was stored for this server: a token that still holds is kept, and a former session is ended. */
export async function openAccount(
  endpoint: Endpoint,
  person: { email: string; password: string },
  before: OriginCredentials,
  context: CliContext,
): Promise<OpenedAccount> {
  const { signal } = context;
  const server = { endpoint, allowHttp: context.config.allowHttp };
  const tokens = await logInWithPassword({ ...server, signal }, person);
  const session: StoredSession = { ...tokens, email: person.email, endpoint: endpoint.graphqlUrl };
  const ask = (query: string, variables: Record<string, unknown>, until: AbortSignal) =>
    postGraphql({ ...server, accessToken: tokens.accessToken, query, variables, isRepeatable: false, signal: until });
  let madeId: string | undefined;
  const takeBack = async () => {
    // Also after Ctrl-C: nothing is left behind. A server that is away by now keeps what it has.
    const until = AbortSignal.timeout(TAKE_BACK_MS);
    if (madeId !== undefined) await ask(REVOKE_TOKEN, { id: madeId }, until).catch(ignoreFailure);
    await ask(LOGOUT, {}, until).catch(ignoreFailure);
  };
  try {
    const token = await findToken(before, (query, variables = {}) => ask(query, variables, signal));
    madeId = token.madeId;
    if (before.session !== undefined && before.session.accessToken !== tokens.accessToken) {
      const former = { ...server, accessToken: before.session.accessToken, isRepeatable: false, signal };
      await postGraphql({ ...former, query: LOGOUT, variables: {} }).catch(ignoreFailure);
    }
    return { credentials: { ...token.credentials, session }, notes: token.notes, takeBack };
  } catch (error) {
    await takeBack();
    throw error;
  }
}

/** Ends the session that asks. */
export const LOGOUT = 'mutation { logout }';
export const REVOKE_TOKEN = 'mutation ($id: ID!) { revokeDeveloperToken(id: $id) }';
const TAKE_BACK_MS = 3_000;

const LIST_TOKENS = 'query { developerTokens { id isExpired } }';
const MAKE_TOKEN = 'mutation ($name: String!) { createDeveloperToken(name: $name) { id token } }';

interface TokenForPublishing {
  credentials: Pick<OriginCredentials, 'developerToken' | 'developerTokenId'>;
  madeId?: string;
  notes: string[];
}

type Ask = (query: string, variables?: Record<string, unknown>) => Promise<Record<string, unknown>>;

async function findToken(before: OriginCredentials, ask: Ask): Promise<TokenForPublishing> {
  const { developerToken, developerTokenId } = before;
  if (developerToken !== undefined && developerTokenId === undefined) {
    return { credentials: {}, notes: ['Publishing goes on with the developer token that you stored.'] };
  }
  try {
    if (developerTokenId !== undefined && (await holds(developerTokenId, ask))) return { credentials: {}, notes: [] };
    const name = `courant on ${hostname()}`.slice(0, MOST_NAME);
    const made = (await ask(MAKE_TOKEN, { name })).createDeveloperToken;
    const [id, token] = isRecord(made) ? [readText(made.id), readText(made.token)] : [];
    if (id === undefined || token === undefined) return { credentials: {}, notes: [NO_TOKEN] };
    const notes = [`Publishing uses the developer token "${name}", which was just made. "courant logout" revokes it.`];
    return { credentials: { developerToken: token, developerTokenId: id }, madeId: id, notes };
  } catch (error) {
    // The session is good without one: the address is not confirmed yet, or there are too many tokens.
    if (error instanceof GraphqlRefusal) return { credentials: {}, notes: [`${error.message} ${NO_TOKEN}`] };
    throw error;
  }
}

/** Of the server; a longer name is refused. */
const MOST_NAME = 60;
const NO_TOKEN = 'To publish, store a developer token too: courant login --token';

async function holds(tokenId: string, ask: Ask): Promise<boolean> {
  const { developerTokens } = await ask(LIST_TOKENS);
  const listed = Array.isArray(developerTokens) ? developerTokens.filter(isRecord) : [];
  return listed.some(({ id, isExpired }) => id === tokenId && isExpired === false);
}

function ignoreFailure(error: unknown): void {
  if (!(error instanceof Failure) && !(error instanceof DOMException)) throw error;
}
