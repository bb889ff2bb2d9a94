/** Declares and validates the flags of `courant publish`, and converts them to overrides. */
import { type Command, InvalidArgumentError } from 'commander';
import { parseHttpUrl } from '../../../article/identity/canonical.ts';
import type { Overrides } from '../../../article/overrides/apply-overrides.ts';
import { DESTINATION_KEYS, type DestinationKey } from '../../../article/types.ts';
import { PLATFORMS_BY_KEY } from '../../../destinations/platforms.ts';
import type { Platform } from '../../../destinations/types.ts';
import { createInputFailure } from '../../failure.ts';
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
} & Partial<Record<DestinationKey, boolean>> &
  Partial<Record<Platform, true>>;

/** In characters. Search engines cut longer descriptions. */
export const MAX_SUBTITLE = 200;
/** Ten minutes cover the wait for a rate limit, but not for a destination that is down. */
export const WAIT_TIMEOUT_S = 600;

/** Flags that apply to a single article. */
const SINGLE_FILE_FLAGS = ['title', 'subtitle', 'canonical', 'cover'] as const;

/** Returns the flags in use that are invalid for several files. */
export function findSingleFlags(flags: PublishFlags): string[] {
  return SINGLE_FILE_FLAGS.filter((name) => flags[name] !== undefined).map((name) => `--${name}`);
}

export function addPublishFlags(command: Command): void {
  command
    .option('-d, --dry-run', 'check the file and show what would be sent; no token, no network')
    .option('--base-url <url>', 'base of relative image addresses (default: origin of the canonical URL)', readUrl)
    .option('--title <title>', 'title (default: frontmatter, else the file name)', readNonEmpty)
    .option(
      '--subtitle <subtitle>',
      `subtitle, at most ${MAX_SUBTITLE} characters (default: frontmatter)`,
      readSubtitle,
    )
    .option('--tags <tags>', 'tags, separated by commas; "" for none (default: frontmatter)', readTags)
    .option('--category <slug>', 'category (default: frontmatter)', readNonEmpty)
    .option('--series <seriesId>', 'attach to an existing series (default: frontmatter)', readNonEmpty)
    .option('--canonical <url>', 'canonical URL (default: frontmatter, else the address of the article)', readUrl)
    .option('--cover <url>', 'cover image, URL or path (default: frontmatter)', readNonEmpty)
    .option('--draft', 'save as a draft; nothing is delivered')
    .option('--toc', 'generate a table of contents (default: frontmatter)');
  // Each is on, off or absent. Commander leaves it undefined only if both spellings are declared.
  for (const key of DESTINATION_KEYS) {
    command.option(`--${key}`, `deliver to ${LABELS[key]}`);
    // The specification has no opposite for this flag: it is off by default.
    if (key !== 'cms_site') command.option(`--no-${key}`, `do not deliver to ${key}`);
  }
  for (const platform of PLATFORMS_BY_KEY.cms_site)
    command.option(`--${platform}`, `deliver to cms_site, and fail if the connected site is not ${platform}`);
  command
    .option('-t, --token <token>', 'developer token (default: SERVICE_TOKEN, else the stored one)')
    .option('--endpoint <url>', `GraphQL endpoint (default: COURANT_ENDPOINT, the stored one, ${DEFAULT_ENDPOINT})`)
    .option(
      '-y, --yes',
      'publish without confirmation, even if the article may not be meant for the public or pictures will not load',
    )
    .option('--show <destination>', 'dry run that prints what this destination would receive', readDestination)
    .option('-w, --wait', 'wait until each delivery has an outcome; needs "courant login"')
    .option('--wait-timeout <seconds>', `maximum time to wait (default: ${WAIT_TIMEOUT_S})`, readSeconds)
    .option('--json', 'print one JSON object per file, each on one line, instead of text');
}

const OVERRIDES = {
  ...{ title: 'title', subtitle: 'subtitle', tags: 'tags', category: 'category', series: 'seriesId', draft: 'draft' },
  ...{ canonical: 'canonicalUrl', cover: 'coverImage', baseUrl: 'baseUrl', toc: 'generateToc' },
} as const satisfies Partial<Record<keyof PublishFlags, keyof Overrides>>;

/** Converts flags to overrides. Absent flags add nothing, so that the frontmatter applies. */
export function toOverrides(flags: PublishFlags): Overrides {
  const selected = { ...flags, ...(findExpectedPlatform(flags) && { cms_site: true }) };
  const crossPost = pickDefined(
    selected,
    DESTINATION_KEYS.map((key) => [key, key]),
  );
  const overrides = pickDefined(flags, Object.entries(OVERRIDES) as [keyof typeof OVERRIDES, string][]);
  return { ...overrides, ...(Object.keys(crossPost).length > 0 && { crossPost }) };
}

function pickDefined<Name extends keyof PublishFlags>(flags: PublishFlags, names: (readonly [Name, string])[]): object {
  return Object.fromEntries(names.flatMap(([flag, name]) => (flags[flag] === undefined ? [] : [[name, flags[flag]]])));
}

/** The platform that `cms_site` must be connected to. Throws if two are named. */
export function findExpectedPlatform(flags: PublishFlags): Platform | null {
  const [expected, second] = PLATFORMS_BY_KEY.cms_site.filter((platform) => flags[platform]);
  if (second !== undefined)
    throw createInputFailure(`Use either --${expected} or --${second}: only one site can be connected.`);
  return expected ?? null;
}

/**
 * Replaces other spellings of a destination's flag: `--dev` and `--blogsite-a` become
 * `--blogsite_a`. The spelling with hyphens is a common habit and not documented.
 */
export function normaliseFlags(args: string[]): string[] {
  const end = args.indexOf('--');
  return args.map((arg, index) => {
    const [, negation = '', name = ''] = /^--(no-)?([a-z_-]+)$/.exec(arg) ?? [];
    const key = PLATFORM_FLAGS[name] ?? DESTINATION_KEYS.find((known) => known === name.replace('-', '_'));
    return key === undefined || (end !== -1 && index > end) ? arg : `--${negation}${key}`;
  });
}

/** Flags with the name of a platform. Those of `cms_site` also require that platform. */
const PLATFORM_FLAGS: Partial<Record<string, DestinationKey>> = {
  dev: 'blogsite_a',
  hashnode: 'blogsite_b',
  medium: 'blogsite_c',
  linkedin: 'social_feed',
};

const LABELS: Record<DestinationKey, string> = {
  blogsite_a: 'DEV or another Forem (also --dev; default: frontmatter, else on)',
  blogsite_b: 'Hashnode (also --hashnode; default: frontmatter, else on)',
  blogsite_c: 'Medium (also --medium)',
  cms_site: 'the connected WordPress or Ghost site',
  social_feed: 'LinkedIn (also --linkedin)',
};

function readNonEmpty(text: string): string {
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
