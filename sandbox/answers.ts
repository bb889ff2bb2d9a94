/** From a stand-in's answer to bytes on the wire, through whatever fault is due. */
import type { FastifyReply } from 'fastify';
import type { SandboxContext } from './context.ts';
import { type Answer, type FaultableAction, sufferFault } from './faults.ts';
import type { SandboxPlatform } from './posts.ts';

export interface Exchange {
  platform: SandboxPlatform;
  /** Null for requests that no fault is meant for. */
  action: FaultableAction | null;
  work: () => Answer | Promise<Answer>;
  defaultAnswer: (status: number) => Answer;
}

export async function answerRequest(
  sandbox: SandboxContext,
  reply: FastifyReply,
  exchange: Exchange,
): Promise<FastifyReply> {
  const fault = sandbox.faults.take(exchange.platform, exchange.action);
  const ending = await sufferFault(fault, exchange.work, exchange.defaultAnswer, sandbox.stopping);
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
