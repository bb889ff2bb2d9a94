/** Publishes as every client of ours does: a 503 says that nothing was changed, and is tried again. */
import { type PublishAnswer, postArticle } from '../../test/support/api.ts';
import { eventually } from '../../test/support/eventually.ts';

export function publishPatiently(url: string, token: string, content: string): Promise<PublishAnswer> {
  return eventually(
    'an answer other than 503',
    async () => {
      const answer = await postArticle(url, token, { content });
      return answer.status !== 503 && answer;
    },
    { withinMs: 180_000, everyMs: 1_000 },
  );
}
