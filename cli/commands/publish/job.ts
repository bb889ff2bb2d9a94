/** One file to publish, checked. */
import { DESTINATION_KEYS, type DestinationKey } from '../../../article/types.ts';
import type { PreparedDocument } from '../../document/prepare-document.ts';
import type { Published } from '../../server/publish-article.ts';

/** What is needed of a document once it is checked. The parsed text is not kept: there may be thousands. */
export interface Job extends Pick<PreparedDocument, 'payload' | 'source' | 'placeInFile' | 'original'> {
  file: string;
  enabled: DestinationKey[];
  scheduledAt: Date | null;
}

export function toJob(file: string, { payload, source, placeInFile, original, draft }: PreparedDocument): Job {
  const enabled = DESTINATION_KEYS.filter((key) => draft.crossPost[key]);
  return { file, payload, source, placeInFile, original, enabled, scheduledAt: draft.scheduledAt };
}

export interface Sent {
  job: Job;
  published: Published;
}
