/** Creates the comments, reactions and follows of the demo accounts through GraphQL. */
import { DEMO_COMMENTS, type DemoComment, FOLLOWS, type Person, REACTIONS } from './content.ts';
import type { SignedInPerson } from './person.ts';

type People = Record<Person, SignedInPerson>;

/**
 * `slugs` maps example files to slugs. Repeating an equal comment at the same place creates no
 * second one.
 */
export async function publishInteractions(people: People, slugs: ReadonlyMap<string, string>): Promise<void> {
  const names = Object.keys(people) as Person[];
  await Promise.all([
    ...names.map((name) => react(people[name], REACTIONS[name], slugs)),
    ...names.map((name) => follow(people[name], FOLLOWS[name])),
  ]);
  for (const { file, remarks } of DEMO_COMMENTS) {
    const slug = slugs.get(file);
    if (slug !== undefined) for (const remark of remarks) await comment(people, slug, remark, null);
  }
}

const ADD =
  'mutation ($slug: String!, $body: String!, $parentId: ID) { addComment(slug: $slug, body: $body, parentId: $parentId) { id } }';
const ACCEPT = 'mutation ($id: ID!) { acceptAnswer(commentId: $id) }';

async function comment(people: People, slug: string, remark: DemoComment, parentId: string | null): Promise<void> {
  const { id } = (
    await people[remark.by].request<{ addComment: { id: string } }>(ADD, { slug, body: remark.body, parentId })
  ).addComment;
  if (remark.acceptedBy) await people[remark.acceptedBy].request(ACCEPT, { id });
  for (const reply of remark.replies ?? []) await comment(people, slug, reply, id);
}

/** Sends all reactions in one request. */
async function react(
  person: SignedInPerson,
  reactions: (typeof REACTIONS)[Person],
  slugs: ReadonlyMap<string, string>,
): Promise<void> {
  const fields = Object.entries(reactions).flatMap(([file, kinds]) =>
    kinds.map((kind) => `react(slug: ${JSON.stringify(slugs.get(file) ?? '')}, kind: ${kind.toUpperCase()})`),
  );
  await person.request(`mutation { ${fields.map((field, index) => `r${index}: ${field}`).join(' ')} }`);
}

async function follow(person: SignedInPerson, usernames: readonly string[]): Promise<void> {
  const fields = usernames.map((username, index) => `f${index}: follow(username: ${JSON.stringify(username)})`);
  await person.request(`mutation { ${fields.join(' ')} }`);
}
