/**
 * Scenarios of rejected credentials: accepted by the probe, replaced meanwhile, rejected again, or
 * rejected at a look-up.
 */
import type { DeliveryWorld } from '../../support/delivery/delivery.ts';
import { waitForFaults } from '../../support/delivery/publishing.ts';
import {
  createPlainScenario,
  type PublishedStory,
  prepareStory,
  publishStory,
  type Scenario,
  type StoryFault,
} from './story.ts';

const BAD_KEY = { apiKey: 'no such key' };
const REFUSED: StoryFault = { status: 401 };
/** Slow, so that the author can reconnect meanwhile. */
const PROBE_REFUSED_SLOWLY: StoryFault = { action: 'probe', status: 401, delayMs: 1_000 };
const LOOK_UP_REFUSED: StoryFault = { action: 'find', status: 401 };

export function createCredentialScenarios(world: DeliveryWorld): Scenario[] {
  const plain = createPlainScenario(world);
  /** The author enters another key during the probe of the first one. */
  const publishAndReplaceKey = async (credentials?: Record<string, string>): Promise<PublishedStory> => {
    const story = await publishStory(world, await prepareStory(world, 'blogsite_a', REFUSED, PROBE_REFUSED_SLOWLY));
    await waitForFaults(world);
    await world.connect(story.author, 'blogsite_a', credentials);
    return story;
  };

  return [
    plain('delivery-probe-accepted', 'blogsite_a', 'delivered', REFUSED),
    // Each credential is probed once.
    plain('delivery-refused-after-probe', 'blogsite_a', 'held', { ...REFUSED, times: 2 }),
    plain('delivery-look-up-refused', 'blogsite_a', 'delivered', { drop: 'after' }, LOOK_UP_REFUSED),
    plain('delivery-look-up-refused-held', 'blogsite_a', 'held', { drop: 'after' }, LOOK_UP_REFUSED, {
      action: 'probe',
      status: 401,
    }),
    {
      name: 'delivery-key-replaced',
      async play() {
        const story = await publishAndReplaceKey();
        await story.waitForState('delivered');
        return story.waitForDeliveryEnd();
      },
    },
    {
      // The new key is probed as well.
      name: 'delivery-key-replaced-by-bad-key',
      async play() {
        const story = await publishAndReplaceKey(BAD_KEY);
        await story.waitForState('held');
        return story.waitForDeliveryEnd();
      },
    },
  ];
}
