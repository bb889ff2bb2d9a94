/** A thread of the format pool: formats one article for one platform at a time. */
import type { DeliverableArticle } from '../../article/types.ts';
import type { InThread } from '../../runtime/threads/pool.ts';
import { markTaskStarted } from '../../runtime/threads/task-clock.ts';
import { findDescriptor } from '../registry.ts';
import type { Formatted, Platform } from '../types.ts';

export interface FormatTask {
  platform: Platform;
  article: DeliverableArticle;
}

export default function runFormatTask({ begun, platform, article }: InThread<FormatTask>): Formatted<unknown> {
  markTaskStarted(begun);
  const descriptor = findDescriptor(platform);
  if (descriptor === null) throw new Error(`there is no format for the platform ${platform}`);
  return descriptor.format(article);
}
