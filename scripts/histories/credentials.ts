/** What becomes of a delivery whose credential is refused: good after all, replaced meanwhile, refused for good, and at a look-up. */
import type { DeliveryWorld } from '../../test/support/delivery.ts';
import {
  beginStory,
  faultsBegun,
  type Misfortune,
  type PublishedStory,
  plainScenarios,
  publishStory,
  type Scenario,
} from './story.ts';

const BAD_KEY = { apiKey: 'no such key' };
const REFUSED: Misfortune = { status: 401 };
/** Refused too, and slow to say so: time enough to connect anew. */
const PROBE_REFUSED_SLOWLY: Misfortune = { action: 'probe', status: 401, delayMs: 1_000 };
const LOOK_REFUSED: Misfortune = { action: 'find', status: 401 };

export function credentialScenarios(world: DeliveryWorld): Scenario[] {
  const simply = plainScenarios(world);
  /** While the former key is asked about for the second time, its author enters another one. */
  const replaced = async (credentials?: Record<string, string>): Promise<PublishedStory> => {
    const story = await publishStory(world, await beginStory(world, 'blogsite_a', REFUSED, PROBE_REFUSED_SLOWLY));
    await faultsBegun(world);
    await world.connect(story.author, 'blogsite_a', credentials);
    return story;
  };

  return [
    simply('delivery-probe-was-good', 'blogsite_a', 'delivered', REFUSED),
    // What was asked about once is not asked about again.
    simply('delivery-refused-after-probe', 'blogsite_a', 'held', { ...REFUSED, times: 2 }),
    simply('delivery-look-up-refused', 'blogsite_a', 'delivered', { drop: 'after' }, LOOK_REFUSED),
    simply('delivery-look-up-refused-held', 'blogsite_a', 'held', { drop: 'after' }, LOOK_REFUSED, {
      action: 'probe',
      status: 401,
    }),
    {
      name: 'delivery-key-replaced',
      async play() {
        const story = await replaced();
        await story.reaches('delivered');
        return story.deliveryEnds();
      },
    },
    {
      // The other key has a probe of its own.
      name: 'delivery-key-replaced-in-vain',
      async play() {
        const story = await replaced(BAD_KEY);
        await story.reaches('held');
        return story.deliveryEnds();
      },
    },
  ];
}
