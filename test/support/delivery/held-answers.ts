/**
 * Holds the answer of a create between the destination and the ledger, so that a test acts during
 * the attempt on a machine of any speed.
 */
import type { TestContext } from 'node:test';
import { findDestination } from '../../../destinations/clients.ts';
import type { Destination, Platform } from '../../../destinations/types.ts';
import { eventually } from '../eventually.ts';
import { replaceMethods } from './replace-methods.ts';

export interface HeldAnswers {
  /** For the `deps` of a world: the real destinations. */
  findDestination(platform: Platform): Destination | null;
  /** Holds the answer of the next create. The end of the test releases it in any case. */
  holdNext(context: TestContext): HeldAnswer;
}

export interface HeldAnswer {
  /** Resolves when the destination has executed the create, or its answer is lost. */
  isHeld(): Promise<true>;
  release(): void;
}

export function createHeldAnswers(): HeldAnswers {
  let next: { isHeld: boolean; released: Promise<void> } | null = null;
  return {
    holdNext(context) {
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      const answer = { isHeld: false, released };
      next = answer;
      context.after(() => release());
      return { isHeld: () => eventually('the answer of the create', async () => answer.isHeld), release };
    },
    findDestination(platform) {
      const destination = findDestination(platform);
      if (!destination) return null;
      return replaceMethods(destination, (client) => ({
        async create(payload) {
          const answer = next;
          next = null;
          const outcome = await client.create(payload);
          if (answer === null) return outcome;
          answer.isHeld = true;
          await answer.released;
          return outcome;
        },
      }));
    },
  };
}
