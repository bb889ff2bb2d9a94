/** Runs an author's commands for an article outside of a publish, for GraphQL and the desk. */
import { listTimeWarnings, type PublishTime, readPublishTime } from '../../article/frontmatter/publish-time.ts';
import type { Notice } from '../../article/types.ts';
import { listClashWarnings } from '../../store/articles/canonical-clashes.ts';
import {
  type ArticleTarget,
  cancelSchedule,
  deleteArticle,
  publishNow,
  scheduleArticle,
  unpublishArticle,
} from '../../store/articles/commands.ts';
import { RefusedCommandError } from '../../store/commands/refused-command.ts';
import { listCopiesOfArticles } from '../../store/copies/copies.ts';
import { isUuid } from '../../store/db/valid-keys.ts';
import type { ApiDeps } from '../deps.ts';
import { buildWithdrawalWarnings } from '../publishing/destination-warnings.ts';
import { observePublish, type PublishOrigin } from '../publishing/observe-publish.ts';
import { type DescribedCopy, describeCopy } from './describe-copy.ts';
import type { CommandDeps } from './run-command.ts';

export type ArticleName = Omit<ArticleTarget, 'now'>;

type PublishDeps = CommandDeps & { config: Pick<ApiDeps['config'], 'baseUrl'> };

/** Returns warnings for the author about the article, which is now public. */
export async function publishArticleNow(
  deps: PublishDeps & Pick<ApiDeps, 'metrics'>,
  name: ArticleName,
  origin: PublishOrigin,
): Promise<Notice[]> {
  await observePublish(deps, origin, async () => {
    await runArticleCommand(deps, name, (target) => publishNow(deps.db, target));
    return { articleId: name.articleId, action: 'updated', isReplay: false };
  });
  return listClashWarnings(deps.db, name.articleId, deps.config.baseUrl);
}

/** `at`: a time as authors write it. Warnings state how it was read and which copies remain. */
export async function scheduleOwnArticle(
  deps: PublishDeps,
  name: ArticleName,
  at: string,
): Promise<{ at: Date; warnings: Notice[] }> {
  const time = readTime(at);
  await runArticleCommand(deps, name, (target) => scheduleArticle(deps.db, target, time));
  const { authorId, articleId } = name;
  const copies = await listCopiesOfArticles(deps.db, { authorId, articleIds: [articleId] });
  const clashes = await listClashWarnings(deps.db, name.articleId, deps.config.baseUrl);
  return {
    at: time.at,
    warnings: [...listTimeWarnings(time, 'at'), ...copies.flatMap(buildWithdrawalWarnings), ...clashes],
  };
}

export function cancelOwnSchedule(deps: CommandDeps, name: ArticleName): Promise<void> {
  return runArticleCommand(deps, name, (target) => cancelSchedule(deps.db, target));
}

const REMOVALS = { unpublish: unpublishArticle, delete: deleteArticle };

/** Returns the copies that were live or uncertain, with what happens to each. */
export async function removeOwnArticle(
  deps: CommandDeps,
  name: ArticleName,
  removal: keyof typeof REMOVALS,
): Promise<DescribedCopy[]> {
  const copies = isUuid(name.articleId) ? await listLiveOrUncertainCopies(deps, name) : [];
  await runArticleCommand(deps, name, (target) => REMOVALS[removal](deps.db, target));
  return copies;
}

/** Lists the copies that are live or uncertain, with what would happen to each. */
export async function listLiveOrUncertainCopies({ db }: Pick<CommandDeps, 'db'>, { authorId, articleId }: ArticleName) {
  const copies = await listCopiesOfArticles(db, { authorId, articleIds: [articleId] });
  return copies.filter(({ isLive, isUncertain }) => isLive || isUncertain).map(describeCopy);
}

async function runArticleCommand(
  { now, onOutboxWrite }: CommandDeps,
  name: ArticleName,
  command: (target: ArticleTarget) => Promise<void>,
): Promise<void> {
  if (!isUuid(name.articleId)) {
    throw new RefusedCommandError('NOT_FOUND', 'You have no such article.');
  }
  await command({ ...name, now: now() });
  onOutboxWrite();
}

function readTime(text: string): PublishTime {
  const time = readPublishTime(text.slice(0, 200));
  if ('problem' in time) throw new RefusedCommandError('BAD_TIME', `The time ${time.problem}.`, 'at');
  return time;
}
