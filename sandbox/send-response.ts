/** Sends a simulated platform's response, or the effect of a matching fault. */
import type { FastifyReply } from 'fastify';
import type { SandboxContext } from './context.ts';
import { applyFault, type FaultableAction, type SandboxResponse } from './faults.ts';
import type { SandboxPlatform } from './posts/posts.ts';

export interface SimulatedExchange {
  platform: SandboxPlatform;
  /** Null for requests to which only faults for the action `any` apply. */
  action: FaultableAction | null;
  /** The account of the request, in the form of `readOwner`. Empty if unknown. */
  accounts: readonly string[];
  work: () => SandboxResponse | Promise<SandboxResponse>;
  buildDefaultAnswer: (status: number) => SandboxResponse;
}

export async function sendSandboxResponse(
  sandbox: SandboxContext,
  reply: FastifyReply,
  exchange: SimulatedExchange,
): Promise<FastifyReply> {
  const fault = sandbox.faults.useFault(exchange);
  const ending = await applyFault(fault, exchange.work, exchange.buildDefaultAnswer, sandbox.stopping);
  if (ending.kind === 'cut') {
    reply.hijack();
    reply.raw.destroy();
    return reply;
  }
  const { status, headers, body } = ending.answer;
  const type = typeof body === 'string' ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8';
  return reply
    .code(status)
    .headers({ 'content-type': type, ...headers })
    .send(typeof body === 'string' ? body : JSON.stringify(body));
}
