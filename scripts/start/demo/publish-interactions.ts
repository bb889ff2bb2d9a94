/** Acts as the demo accounts through GraphQL: comments, reactions and follows. */
import { StartError } from '../start-error.ts';
import { DEMO_COMMENTS, type DemoComment, FOLLOWS, type Person, REACTIONS } from './content.ts';
import type { DemoLogin } from './demo-file.ts';

/** Throws `StartError` with the first error of the response. */
export type RunGraphql = <Data>(query: string, variables?: Record<string, unknown>) => Promise<Data>;

const LOGIN =
  'mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { accessToken } }';
const ADD_COMMENT =
  'mutation ($slug: String!, $body: String!, $parentId: ID) { addComment(slug: $slug, body: $body, parentId: $parentId) { id } }';
const ACCEPT_ANSWER = 'mutation ($id: ID!) { acceptAnswer(commentId: $id) }';

export async function signIn(
  apiAddress: string,
  { email, password }: DemoLogin,
  aborted: AbortSignal,
): Promise<RunGraphql> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  const run: RunGraphql = async <Data>(query: string, variables = {}) => {
    const response = await fetch(`${apiAddress}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query, variables }),
      signal: AbortSignal.any([aborted, AbortSignal.timeout(15_000)]),
    });
    const { data, errors } = (await response.json()) as { data?: Data; errors?: { message: string }[] };
    if (errors?.[0] || !data) throw new StartError(`The demo's content: ${errors?.[0]?.message ?? response.status}`);
    return data;
  };
  const { login } = await run<{ login: { accessToken: string } }>(LOGIN, { email, password });
  headers.authorization = `Bearer ${login.accessToken}`;
  return run;
}

/**
 * `slugs` maps example files to slugs. Repeating an equal comment at the same place creates no
 * second one.
 */
export async function publishInteractions(
  people: Record<Person, RunGraphql>,
  slugs: ReadonlyMap<string, string>,
): Promise<void> {
  for (const [name, run] of Object.entries(people) as [Person, RunGraphql][]) {
    const follows = FOLLOWS[name].map((username) => `follow(username: "${username}")`);
    const reactions = Object.entries(REACTIONS[name]).flatMap(([file, kinds]) =>
      kinds.map((kind) => `react(slug: ${JSON.stringify(slugs.get(file) ?? '')}, kind: ${kind.toUpperCase()})`),
    );
    const fields = [...follows, ...reactions].map((field, index) => `f${index}: ${field}`);
    await run(`mutation { ${fields.join(' ')} }`);
  }
  const comment = async (
    slug: string,
    { by, body, acceptedBy, replies = [] }: DemoComment,
    parentId: string | null,
  ) => {
    const { addComment } = await people[by]<{ addComment: { id: string } }>(ADD_COMMENT, { slug, body, parentId });
    if (acceptedBy) await people[acceptedBy](ACCEPT_ANSWER, { id: addComment.id });
    for (const reply of replies) await comment(slug, reply, addComment.id);
  };
  for (const { file, remarks } of DEMO_COMMENTS) {
    for (const remark of remarks) await comment(slugs.get(file) ?? '', remark, null);
  }
}
