/** A thread of the format pool: formats one article for one platform at a time. */
import type { DeliverableArticle } from '../../article/types.ts';
import { markTaskStarted } from '../../threads/task-clock.ts';
import type { InThread } from '../../threads/pool.ts';
import type { Formatted, Platform } from '../types.ts';
import { findFormat } from './platform-formats.ts';

export interface FormatTask {
  platform: Platform;
  article: DeliverableArticle;
}

export default function runFormatTask({ begun, platform, article }: InThread<FormatTask>): Formatted<unknown> {
  markTaskStarted(begun);
  const format = findFormat(platform);
  if (format === null) throw new Error(`there is no format for the platform ${platform}`);
  return format.format(article);
}
