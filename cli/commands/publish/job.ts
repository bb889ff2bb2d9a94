/** Types of a checked file that is published, and of the result. */
import { DESTINATION_KEYS, type DestinationKey } from '../../../article/types.ts';
import type { PreparedDocument } from '../../document/prepare-document.ts';
import type { Published } from '../../server/publish-article.ts';

/** A checked document, without the parsed text, because there may be thousands of files. */
export interface Job extends Pick<PreparedDocument, 'payload' | 'source' | 'mapToFile' | 'original'> {
  file: string;
  enabled: DestinationKey[];
  scheduledAt: Date | null;
}

export function toJob(file: string, { payload, source, mapToFile, original, draft }: PreparedDocument): Job {
  const enabled = DESTINATION_KEYS.filter((key) => draft.crossPost[key]);
  return { file, payload, source, mapToFile, original, enabled, scheduledAt: draft.scheduledAt };
}

export interface PublishedJob {
  job: Job;
  published: Published;
}
