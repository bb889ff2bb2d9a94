/**
 * The guard for accounts whose e-mail address is not confirmed: every request that is not a read is refused, unless its route allows them.
 * GraphQL has one route for everything; there the same rule holds for each mutation (`graphql/builder.ts`).
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { RefusedCommandError } from '../../store/commands/refused-command.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route reaches nobody else, connects nothing and costs nobody else's resources, or it removes what is the sender's own. */
    allowUnconfirmed?: true;
  }
}

/** For the `config` of such a route. */
export const ALLOW_UNCONFIRMED = { allowUnconfirmed: true } as const;

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

export const confirmedAddressPlugin = fp(async (app: FastifyInstance) => {
  // The hooks that identify the sender are onRequest hooks of inner scopes and routes; this one runs after all of them, before the body is read.
  app.addHook('preParsing', async (request, _reply, payload) => {
    requireConfirmedAddress(request);
    return payload;
  });
});

/** Also for a sender who is identified later, by the body. Throws EMAIL_NOT_CONFIRMED. */
export function requireConfirmedAddress({ method, routeOptions, viewer, session, tokenOwner }: FastifyRequest): void {
  if (READS.has(method) || routeOptions.config.allowUnconfirmed) return;
  const sender = viewer ?? session ?? tokenOwner;
  if (sender !== null && !sender.emailConfirmed) throw createUnconfirmedError();
}

export function createUnconfirmedError(): RefusedCommandError {
  return new RefusedCommandError('EMAIL_NOT_CONFIRMED', UNCONFIRMED);
}

const UNCONFIRMED =
  'Confirm your e-mail address first: open the link in the mail from us, then try again. “Send the mail again” on your desk (resendConfirmation in GraphQL) sends another one.';
