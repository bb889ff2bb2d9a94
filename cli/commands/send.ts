/**
 * `courant send <destination>`: lists articles that the connected account lacks, and sends some.
 */
import { DESTINATION_KEYS } from '../../article/types.ts';
import type { CliContext } from '../context.ts';
import { createFailure, createInputFailure } from '../failure.ts';
import { listRecords, readText } from '../server/json.ts';
import { openSession } from '../server/session.ts';
import { formatJsonLine, neutraliseLine } from '../terminal/output.ts';
import { isInteractive, promptSelection } from '../terminal/prompt.ts';

export interface SendFlags {
  all?: true;
  endpoint?: string;
  json?: true;
}

interface Offer {
  articleId: string;
  slug: string;
  title: string;
}

const OFFERS = `query ($destination: Destination!) { connections { destination label account baseUrl }
  offers(destination: $destination) { articleId slug title } }`;
const SEND = `mutation ($destination: Destination!, $articleIds: [ID!]!) {
  sendArticles(destination: $destination, articleIds: $articleIds) { articleId } }`;

export async function send(destination: string, slugs: string[], flags: SendFlags, context: CliContext): Promise<void> {
  const { terminal } = context;
  if (!DESTINATION_KEYS.some((key) => key === destination)) {
    throw createInputFailure(`There is no destination "${destination}".`, {
      hints: [`Destinations: ${DESTINATION_KEYS.join(', ')}.`],
    });
  }
  if (flags.all && slugs.length > 0) throw createInputFailure('Use either slugs or --all.');
  const runGraphql = await openSession(flags.endpoint, 'Sending articles', context);
  const found = await runGraphql(OFFERS, { destination });
  const offers = found.offers as Offer[];
  const account = nameAccount(destination, found.connections);
  const selected = flags.all
    ? offers
    : findOffers(offers, slugs.length > 0 ? slugs : await promptSlugs(offers, account, context));
  let sent: Offer[] = [];
  if (selected.length > 0) {
    const articleIds = selected.map(({ articleId }) => articleId);
    const ids = listRecords((await runGraphql(SEND, { destination, articleIds })).sendArticles);
    sent = selected.filter((offer) => ids.some(({ articleId }) => articleId === offer.articleId));
  }
  if (flags.json) {
    terminal.out(formatJsonLine({ destination, account, offers, sent: sent.map(({ slug }) => slug) }));
    return;
  }
  const { plain } = terminal.outPaint;
  if (offers.length === 0) terminal.out(`No articles to send to ${plain(account)}.`);
  else if (sent.length > 0) terminal.out(`Sending ${count(sent)} to ${plain(account)}:`);
  else terminal.out(`${count(offers)} can be sent to ${plain(account)}. Add slugs to the command, or --all:`);
  for (const { slug, title } of sent.length > 0 ? sent : offers) terminal.out(`  ${plain(slug)}  ${plain(title)}`);
}

function count({ length }: readonly unknown[]): string {
  return `${length} ${length === 1 ? 'article' : 'articles'}`;
}

/** Throws if no account is connected. */
function nameAccount(destination: string, connections: unknown): string {
  const connection = listRecords(connections).find((candidate) => candidate.destination === destination);
  if (connection === undefined)
    throw createFailure(
      `No account is connected at ${destination}. Connect one at the desk, then run this command again.`,
    );
  const name = readText(connection.account) ?? readText(connection.baseUrl) ?? destination;
  return `${name} (${readText(connection.label) ?? destination})`;
}

function findOffers(offers: readonly Offer[], slugs: readonly string[]): Offer[] {
  return slugs.map((slug) => {
    const offer = offers.find((candidate) => candidate.slug === slug);
    if (offer !== undefined) return offer;
    throw createInputFailure(
      `"${neutraliseLine(slug)}" is not in the list of articles that can be sent to this account.`,
      { hints: ['Run the command without slugs to list them.'] },
    );
  });
}

/** Prompts for a selection. Returns an empty list without a terminal. */
async function promptSlugs(offers: readonly Offer[], account: string, context: CliContext): Promise<string[]> {
  if (offers.length === 0 || !isInteractive(context.streams)) return [];
  const options = offers.map(({ slug, title }) => ({ value: slug, label: neutraliseLine(title) }));
  return promptSelection(`Send to ${neutraliseLine(account)} (space selects, enter sends)`, options, context);
}
