/**
 * Whether a walk has ended as it must, once everything is quiet:
 *
 * 1. no post that was made by hand was touched;
 * 2. no article has two posts at one account;
 * 3. each account's posts by us are exactly those that the ledger names, each in the status that it says;
 * 4. each final outcome has exactly one event (`events.ts` says what is one);
 * 5. nothing is stuck: no actor is at work for ever, and nothing is due that nobody is at work on.
 */
import type { SandboxPost, WalkWorld } from '../world.ts';
import { checkEvents } from './events.ts';
import { gatherFacts } from './facts.ts';
import { checkDoubles, checkForeignPosts, checkIdentities, checkLedger } from './posts.ts';

/** The differences; empty where there are none. `open` is what never came to its end. */
export async function checkWalk(
  world: WalkWorld,
  { handMade, open }: { handMade: readonly SandboxPost[]; open: readonly string[] },
): Promise<string[]> {
  const facts = await gatherFacts(world, handMade);
  const stuck = facts.due.map(({ deliveryId, why }) => {
    const row = facts.deliveries.find(({ id }) => id === deliveryId);
    const slug = facts.articles.find(({ id }) => id === row?.articleId)?.slug;
    return `stuck: ${slug} at ${row?.destination} is ${row?.state}, “${why}” is due`;
  });
  return [
    ...checkForeignPosts(facts),
    ...checkDoubles(facts),
    ...checkIdentities(facts),
    ...checkLedger(facts),
    ...checkEvents(facts),
    ...open.map((id) => `still at work: ${id}`),
    ...stuck,
  ];
}
