/**
 * Refuses requests of accounts without a confirmed address, except reads and routes that allow
 * them. GraphQL has one route and checks each mutation instead (`graphql/builder.ts`).
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { RefusedCommandError } from '../../store/commands/refused-command.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set for routes that affect only the sender's account or remove the sender's own data. */
    allowUnconfirmed?: true;
  }
}

/** The `config` of a route that accounts without a confirmed address may use. */
export const ALLOW_UNCONFIRMED = { allowUnconfirmed: true } as const;

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

export const confirmedAddressPlugin = fp(async (app: FastifyInstance) => {
  // Runs after the hooks that identify the sender (onRequest hooks of inner scopes and routes) and
  // before the body is read.
  app.addHook('preParsing', async (request, _reply, payload) => {
    requireConfirmedAddress(request);
    return payload;
  });
});

/** Call it again after reading a body that identifies the sender. Throws EMAIL_NOT_CONFIRMED. */
export function requireConfirmedAddress({ method, routeOptions, viewer, session, tokenOwner }: FastifyRequest): void {
  if (READS.has(method) || routeOptions.config.allowUnconfirmed) return;
  const sender = viewer ?? session ?? tokenOwner;
  if (sender !== null && !sender.emailConfirmed) throw createUnconfirmedError();
}

export function createUnconfirmedError(): RefusedCommandError {
  const message =
    'Confirm your e-mail address first: open the link in the mail from us, then try again. “Send the mail again” on your desk (resendConfirmation in GraphQL) sends another one.';
  return new RefusedCommandError('EMAIL_NOT_CONFIRMED', message);
}
