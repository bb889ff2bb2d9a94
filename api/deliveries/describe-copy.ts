/** Describes a copy to its author: its address, and what a withdrawal does to it. */
import { describeWithdrawal } from '../../destinations/posts/describe-withdrawal.ts';
import { findDescriptor } from '../../destinations/registry.ts';
import type { listCopiesOfArticles } from '../../store/copies/copies.ts';

type CopyRow = Awaited<ReturnType<typeof listCopiesOfArticles>>[number];

export type DescribedCopy = ReturnType<typeof describeCopy>;

export function describeCopy(copy: CopyRow) {
  const { articleId, destination, connection, account, url, isUncertain } = copy;
  const withdrawal = describeWithdrawal(copy, connection && findDescriptor(connection.platform));
  return { articleId, destination, url: url ?? '', account, isUncertain, ...withdrawal };
}
