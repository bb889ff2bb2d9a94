/**
 * Publishes like our clients: retries rejections of a load balancer or an unreachable database,
 * which is safe because publishes are idempotent.
 */
import { type PublishAnswer, postArticle } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';

export function publishPatiently(url: string, token: string, content: string): Promise<PublishAnswer> {
  return eventually(
    'an answer of the API other than 503',
    async () => {
      // A response of the load balancer itself is not JSON.
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
