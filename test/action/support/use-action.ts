/** Provides a server, a runner, and per test a repository and an author. */
import { after, afterEach, before, beforeEach } from 'node:test';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { createRepository, type Repository } from './repository.ts';
import { type ActionRun, type Runner, startRunner } from './runner.ts';

export const NO_COMMIT = '0'.repeat(40);

/** Starts them before the tests of a file, and stops them afterwards. */
export function useAction() {
  let api: TestApi;
  let runner: Runner;
  let repository: Repository;
  let author: { id: string; token: string };
  before(async () => {
    [api, runner] = await Promise.all([startTestApi(), startRunner()]);
  });
  beforeEach(async () => {
    repository = await createRepository();
    author = await api.createAuthor(`ann-${Math.random().toString(36).slice(2, 10)}`);
  });
  afterEach(() => repository.remove());
  after(() => api.close());

  return {
    get repository() {
      return repository;
    },
    get author() {
      return author;
    },
    run({ event, payload, inputs = {} }: ActionRun, { folder } = repository) {
      const access = { token: author.token, endpoint: `${api.url}/graphql` };
      return runner.publish(folder, { event, inputs: { ...access, ...inputs }, ...(payload ? { payload } : {}) });
    },
    /** Lists the articles of the server in the order of their creation. */
    async listArticles(): Promise<string[]> {
      const rows = api.db.selectFrom('articles').select(['title', 'status']).where('authorId', '=', author.id);
      return (await rows.orderBy('createdAt').orderBy('id').execute()).map(({ title, status }) => `${title} ${status}`);
    },
  };
}

export const post = (title: string, more = '') =>
  `---\ntitle: ${JSON.stringify(title)}\n${more}---\n\nSome text of an article.\n`;

export function push(before: string, more: object = {}): ActionRun {
  return {
    event: 'push',
    payload: { before, ref: 'refs/heads/main', repository: { default_branch: 'main' }, ...more },
  };
}
