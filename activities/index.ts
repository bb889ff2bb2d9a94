/** All activities, under the names that workflows use. */
import { createArticleActivities } from './article/advance.ts';
import { createReminderActivities } from './article/remind.ts';
import { createDeliveryActivities } from './delivery/index.ts';
import type { ActivityDeps } from './deps.ts';
import { createDigestActivities } from './digest/send.ts';
import { createDigestSweepActivities } from './digest/sweep.ts';
import { createImportActivities } from './import/advance.ts';
import { createMailActivities } from './mail/send.ts';
import { createRoundupActivities } from './roundup/publish.ts';
import { createStalledActivities } from './stalled/wake.ts';

export function createActivities(deps: ActivityDeps) {
  return {
    ...createArticleActivities(deps),
    ...createDeliveryActivities(deps),
    ...createDigestActivities(deps),
    ...createDigestSweepActivities(deps),
    ...createImportActivities(deps),
    ...createMailActivities(deps),
    ...createRoundupActivities(deps),
    ...createReminderActivities(deps),
    ...createStalledActivities(deps),
  };
}

export type Activities = ReturnType<typeof createActivities>;

export type { FinalMailOutcome } from '../store/mails/outcome.ts';
