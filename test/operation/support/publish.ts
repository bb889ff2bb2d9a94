/** Publishes as every client of ours does: what a balancer or a database that is away answers is tried again, since an article is one however often it is sent. */
import { type PublishAnswer, postArticle } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';

export function publishPatiently(url: string, token: string, content: string): Promise<PublishAnswer> {
  return eventually(
    'an answer of the API other than 503',
    async () => {
      // A balancer's own answer is no JSON.
      const answer = await postArticle(url, token, { content }).catch(ignoreForeign);
      return answer !== null && answer.status !== 503 && answer;
    },
    { withinMs: 180_000, everyMs: 1_000 },
  );
}

function ignoreForeign(error: unknown): null {
  if (error instanceof SyntaxError) return null;
  throw error;
}
