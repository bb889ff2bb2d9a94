/** Opens sessions of authenticated users, refreshes them and issues their tokens. */
import type { FastifyRequest } from 'fastify';
import { cleanLine } from '../../article/text/clean-text.ts';
import { createSuspendedError, RefusedCommandError } from '../../store/commands/refused-command.ts';
import { hashNetwork } from '../../store/sessions/known-networks.ts';
import { type NewSession, openSession, openSessionByPassword } from '../../store/sessions/open-session.ts';
import { refreshSession } from '../../store/sessions/refresh-session.ts';
import { toNetwork } from '../plugins/network.ts';
import type { AccountDeps, Client } from './account-deps.ts';
import type { SessionOwner } from './sessions.ts';

export interface SessionTokens {
  owner: SessionOwner;
  accessToken: string;
  /** When the access token expires. */
  expiresAt: Date;
  refreshToken: string;
}

const MAX_USER_AGENT_CHARACTERS = 200;

export function describeClient(request: FastifyRequest): Client {
  const userAgent = cleanLine(request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_CHARACTERS);
  return { address: request.ip, userAgent: userAgent.toWellFormed() || null };
}

export async function startSession(deps: AccountDeps, userId: string, client: Client): Promise<SessionTokens> {
  const { sessionId, refreshToken } = await openSession(deps.db, describeSession(deps, userId, client));
  return issueTokens(deps, { userId, sessionId, refreshToken });
}

/** Returns null if the password was replaced after it was checked. */
export async function startSessionByPassword(
  deps: AccountDeps,
  { id: userId, passwordHash }: { id: string; passwordHash: string },
  client: Client,
): Promise<SessionTokens | null> {
  const opened = await openSessionByPassword(deps.db, { ...describeSession(deps, userId, client), passwordHash });
  return opened && issueTokens(deps, { userId, ...opened });
}

/** Exchanges a refresh token for new tokens. Errors: UNAUTHENTICATED, SUSPENDED. */
export async function continueSession(deps: AccountDeps, token: string): Promise<SessionTokens> {
  const { db, refreshKey, now } = deps;
  const refreshed = await refreshSession(db, refreshKey, { token, now: now() });
  if (refreshed.kind === 'reused') {
    const message =
      'This refresh token was already replaced, so someone else may have it. The session has ended. Sign in again, and change your password if you did not use the token twice yourself.';
    throw new RefusedCommandError('UNAUTHENTICATED', message);
  }
  if (refreshed.kind === 'suspended') throw createSuspendedError();
  if (refreshed.kind === 'unknown')
    throw new RefusedCommandError(
      'UNAUTHENTICATED',
      'The session has ended, or this is not a refresh token. Sign in again.',
    );
  return issueTokens(deps, refreshed);
}

function describeSession({ refreshKey, now }: AccountDeps, userId: string, { userAgent, address }: Client): NewSession {
  return { userId, userAgent, network: hashNetwork(refreshKey, { userId, network: toNetwork(address) }), now: now() };
}

async function issueTokens(
  { sessions }: AccountDeps,
  { refreshToken, ...owner }: { userId: string; sessionId: string; refreshToken: string },
): Promise<SessionTokens> {
  const { token, expiresAt } = await sessions.issue('courant:session', owner);
  return { owner, accessToken: token, expiresAt, refreshToken };
}
