/** Finds embeds by name and id, for Liquid tags, Hugo's shortcodes and components of MDX. */
import { parseHttpUrl } from '../identity/canonical.ts';
import { findPage } from './frame-address.ts';

export interface NamedEmbed {
  url: string;
  text: string;
}

const TWEETS = 'twitter tweet x xsimple twittersimple tweetembed twitterembed twittertweet';
const YOUTUBE = 'youtube youtubevideo youtubeembed liteyoutube liteyoutubeembed yt';
/** `$1` in the address is the first group of `id`. */
const KINDS: [place: string, names: string, id: RegExp, address: string][] = [
  ['YouTube', YOUTUBE, /^([\w-]{6,20})$/, 'https://www.youtube.com/watch?v=$1'],
  ['Vimeo', 'vimeo vimeovideo', /^(\d{5,15})$/, 'https://vimeo.com/$1'],
  ['X', TWEETS, /^(\d{5,25})$/, 'https://x.com/i/status/$1'],
  ['GitHub Gist', 'gist githubgist', /^([\w-]{1,60}\/[a-f\d]{5,40}|[a-f\d]{20,40})$/, 'https://gist.github.com/$1'],
  ['GitHub', 'github githubrepo', /^([\w.-]{1,60}\/[\w.-]{1,100})$/, 'https://github.com/$1'],
  ['CodeSandbox', 'codesandbox', /^([\w-]{3,60})$/, 'https://codesandbox.io/s/$1'],
  ['StackBlitz', 'stackblitz', /^([\w-]{3,100})$/, 'https://stackblitz.com/edit/$1'],
];
/** Names of tags with an address as their value. */
const BY_ADDRESS = new Set(
  'embed link codepen jsfiddle replit glitch asciinema speakerdeck slideshare loom spotify soundcloud instagram reddit medium devto iframe'.split(
    ' ',
  ),
);
const BY_NAME = new Map(KINDS.flatMap((kind) => kind[1].split(' ').map((name) => [name, kind])));

/** `values` are the words after the name. Null for an unknown name or an impossible value. */
export function findEmbed(name: string, values: string[]): NamedEmbed | null {
  const key = name.toLowerCase().replace(/[-_]/g, '');
  const kind = BY_NAME.get(key);
  if (kind === undefined && !BY_ADDRESS.has(key)) return null;
  const value = values.join('/');
  if (kind?.[2].test(value)) return { url: value.replace(kind[2], kind[3]), text: `Open on ${kind[0]}` };
  const url = parseHttpUrl(values[0] ?? '');
  if (url === null) return null;
  const page = findPage(url);
  return { url: page.url, text: `Open on ${page.place}` };
}
