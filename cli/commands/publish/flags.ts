/** Declares and validates the flags of `courant publish`, and converts them to overrides. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseHttpUrl } from '../../../article/identity/canonical.ts';
import type { Overrides } from '../../../article/overrides/apply-overrides.ts';
import { DESTINATION_KEYS, type DestinationKey } from '../../../article/types.ts';
import { MAX_SUBTITLE } from '../../document/limits.ts';
import { DEFAULT_ENDPOINT } from '../../server/endpoint.ts';

export type PublishFlags = {
  dryRun?: true;
  baseUrl?: string;
  title?: string;
  subtitle?: string;
  tags?: string[];
  category?: string;
  series?: string;
  canonical?: string;
  cover?: string;
  draft?: true;
  toc?: true;
  token?: string;
  endpoint?: string;
  json?: true;
  yes?: true;
  show?: DestinationKey;
  wait?: true;
  waitTimeout?: number;
} & Partial<Record<DestinationKey, boolean>>;

/** Ten minutes cover the wait for a rate limit, but not for a destination that is down. */
export const WAIT_TIMEOUT_S = 600;

/** Flags that apply to a single article. */
const SINGLE = ['title', 'subtitle', 'canonical', 'cover'] as const;

/** Returns the flags in use that are invalid for several files. */
export function findSingleFlags(flags: PublishFlags): string[] {
  return SINGLE.filter((name) => flags[name] !== undefined).map((name) => `--${name}`);
}

export function addPublishFlags(command: Command): Command {
  command
    .option('-d, --dry-run', 'check the file and show what would be sent; no token, no network')
    .option('--base-url <url>', 'resolve relative images against it (default: origin of the canonical URL)', readUrl)
    .option('--title <title>', 'title (default: frontmatter, else the file name)', readFilled)
    .option(
      '--subtitle <subtitle>',
      `subtitle, at most ${MAX_SUBTITLE} characters (default: frontmatter)`,
      readSubtitle,
    )
    .option('--tags <tags>', 'tags, separated by commas; "" for none (default: frontmatter)', readTags)
    .option('--category <slug>', 'category (default: frontmatter)', readFilled)
    .option('--series <seriesId>', 'attach to an existing series (default: frontmatter)', readFilled)
    .option('--canonical <url>', 'canonical URL (default: frontmatter, else the address of the article)', readUrl)
    .option('--cover <url>', 'cover image, URL or path (default: frontmatter)', readFilled)
    .option('--draft', 'save as a draft; nothing is delivered')
    .option('--toc', 'generate a table of contents (default: frontmatter)');
  addDestinationFlags(command);
  return command
    .option('-t, --token <token>', 'developer token (default: SERVICE_TOKEN, else the stored one)')
    .option('--endpoint <url>', `GraphQL endpoint (default: COURANT_ENDPOINT, the stored one, ${DEFAULT_ENDPOINT})`)
    .option('-y, --yes', 'publish without asking, although the state is in doubt or pictures will not load')
    .option('--show <destination>', 'with the dry run: print what this destination would get', readDestination)
    .option('-w, --wait', 'wait until each delivery has an outcome; needs "courant login"')
    .option('--wait-timeout <seconds>', `how long at most (default: ${WAIT_TIMEOUT_S})`, readSeconds)
    .option('--json', 'print one JSON object a file, on one line, instead of text, for scripts');
}

/** Converts flags to overrides. Absent flags add nothing, so that the frontmatter applies. */
export function toOverrides(flags: PublishFlags): Overrides {
  const named = DESTINATION_KEYS.flatMap((key) => (flags[key] === undefined ? [] : [[key, flags[key]] as const]));
  return {
    ...(flags.title === undefined ? {} : { title: flags.title }),
    ...(flags.subtitle === undefined ? {} : { subtitle: flags.subtitle }),
    ...(flags.tags === undefined ? {} : { tags: flags.tags }),
    ...(flags.category === undefined ? {} : { category: flags.category }),
    ...(flags.series === undefined ? {} : { seriesId: flags.series }),
    ...(flags.canonical === undefined ? {} : { canonicalUrl: flags.canonical }),
    ...(flags.cover === undefined ? {} : { coverImage: flags.cover }),
    ...(flags.baseUrl === undefined ? {} : { baseUrl: flags.baseUrl }),
    ...(flags.toc === undefined ? {} : { generateToc: true }),
    ...(flags.draft === undefined ? {} : { draft: true }),
    ...(named.length === 0 ? {} : { crossPost: Object.fromEntries(named) as Partial<Record<DestinationKey, boolean>> }),
  };
}

/** Accepts `--blogsite-a`, a common habit, as `--blogsite_a`. Only the latter is documented. */
export function acceptHyphens(args: string[]): string[] {
  const end = args.indexOf('--');
  return args.map((arg, index) => {
    if (end !== -1 && index > end) return arg;
    const key = /^--(no-)?([a-z]+)-([a-z]+)$/.exec(arg);
    const name = key === null ? undefined : DESTINATION_KEYS.find((known) => known === `${key[2]}_${key[3]}`);
    return key === null || name === undefined ? arg : `--${key[1] ?? ''}${name}`;
  });
}

const LABELS: Record<DestinationKey, string> = {
  blogsite_a: 'blogsite_a (DEV / Forem); on unless the frontmatter says otherwise',
  blogsite_b: 'blogsite_b (Hashnode); on unless the frontmatter says otherwise',
  blogsite_c: 'blogsite_c (Medium)',
  cms_site: 'the connected site (WordPress or Ghost)',
  social_feed: 'social_feed (LinkedIn)',
};

/** Each is on, off or absent. Commander leaves it undefined only if both spellings are declared. */
function addDestinationFlags(command: Command): void {
  for (const key of DESTINATION_KEYS) {
    command.addOption(new Option(`--${key}`, `deliver to ${LABELS[key]}`));
    // The specification has no opposite for this flag: it is off by default.
    if (key !== 'cms_site') command.addOption(new Option(`--no-${key}`, `do not deliver to ${key}`));
  }
}

function readFilled(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return text;
}

function readSubtitle(text: string): string {
  const length = [...text].length;
  if (length <= MAX_SUBTITLE) return text;
  throw new InvalidArgumentError(`A subtitle has at most ${MAX_SUBTITLE} characters; this one has ${length}.`);
}

function readTags(text: string): string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

function readDestination(text: string): DestinationKey {
  const name = text.replace('-', '_');
  const key = DESTINATION_KEYS.find((known) => known === name);
  if (key !== undefined) return key;
  throw new InvalidArgumentError(`It must be one of ${DESTINATION_KEYS.join(', ')}.`);
}

function readSeconds(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number of seconds, at least 1.');
}

function readUrl(text: string): string {
  if (parseHttpUrl(text) === null) throw new InvalidArgumentError('It must be an absolute http:// or https:// URL.');
  return text.trim();
}
