/** Operator commands for the whole site. Each returns a sentence about its result. */
import { buildArticleUrl } from '../../article/identity/slug.ts';
import { listClashes } from '../../store/articles/canonical-clashes.ts';
import type { AdminDeps } from './commands.ts';

export interface SiteCommand {
  help: string;
  run: (deps: AdminDeps) => Promise<string>;
}

export const SITE_COMMANDS: Record<string, SiteCommand> = {
  'canonical-clashes': {
    help: 'lists canonical URLs shared by public articles of different authors',
    async run({ db, config: { baseUrl } }) {
      const clashes = await listClashes(db);
      if (clashes.length === 0) return 'There are no canonical clashes: no two authors share a canonical URL.';
      return clashes
        .map(({ canonicalKey, articles }) => {
          const [, slug] = /^self:(.*)$/s.exec(canonicalKey) ?? [];
          const lines = articles.map(
            (article) => `  ${buildArticleUrl(baseUrl, article.slug)} by ${article.authorUsername}`,
          );
          return [slug === undefined ? canonicalKey : buildArticleUrl(baseUrl, slug), ...lines].join('\n');
        })
        .join('\n');
    },
  },
};
