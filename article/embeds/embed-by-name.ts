/** Finds embeds by name and id, for Liquid tags, Hugo's shortcodes and components of MDX. */
import { parseHttpUrl } from '../identity/canonical.ts';
import { findPage } from './frame-address.ts';

export interface NamedEmbed {
  url: string;
  /** The text of the link if its author wrote none. */
  text: string;
}

interface Kind {
  place: string;
  names: string[];
  id: RegExp;
  address: string;
}

/** `$1` in `address` is the first group of `id`. */
const KINDS: Kind[] = [
  {
    place: 'YouTube',
    names: ['youtube', 'youtubevideo', 'youtubeembed', 'liteyoutube', 'liteyoutubeembed', 'yt'],
    id: /^([\w-]{6,20})$/,
    address: 'https://www.youtube.com/watch?v=$1',
  },
  { place: 'Vimeo', names: ['vimeo', 'vimeovideo'], id: /^(\d{5,15})$/, address: 'https://vimeo.com/$1' },
  {
    place: 'X',
    names: ['twitter', 'tweet', 'x', 'xsimple', 'twittersimple', 'tweetembed', 'twitterembed', 'twittertweet'],
    id: /^(\d{5,25})$/,
    address: 'https://x.com/i/status/$1',
  },
  {
    place: 'GitHub Gist',
    names: ['gist', 'githubgist'],
    id: /^([\w-]{1,60}\/[a-f\d]{5,40}|[a-f\d]{20,40})$/,
    address: 'https://gist.github.com/$1',
  },
  {
    place: 'GitHub',
    names: ['github', 'githubrepo'],
    id: /^([\w.-]{1,60}\/[\w.-]{1,100})$/,
    address: 'https://github.com/$1',
  },
  {
    place: 'CodeSandbox',
    names: ['codesandbox'],
    id: /^([\w-]{3,60})$/,
    address: 'https://codesandbox.io/s/$1',
  },
  {
    place: 'StackBlitz',
    names: ['stackblitz'],
    id: /^([\w-]{3,100})$/,
    address: 'https://stackblitz.com/edit/$1',
  },
  { place: 'asciinema', names: ['asciinema'], id: /^([\w-]{3,40})$/, address: 'https://asciinema.org/a/$1' },
];
/** Names of tags with an address as their value. */
const BY_ADDRESS = new Set(
  'embed link codepen jsfiddle replit glitch speakerdeck slideshare loom spotify soundcloud instagram reddit medium devto iframe'.split(
    ' ',
  ),
);
const BY_NAME = new Map(KINDS.flatMap((kind) => kind.names.map((name) => [name, kind])));

/** `values` are the words after the name. Null for an unknown name or an impossible value. */
export function findEmbed(name: string, values: string[]): NamedEmbed | null {
  const key = name.toLowerCase().replace(/[-_]/g, '');
  const kind = BY_NAME.get(key);
  if (kind === undefined && !BY_ADDRESS.has(key)) return null;
  const value = values.join('/');
  if (kind?.id.test(value)) return { url: value.replace(kind.id, kind.address), text: `Open on ${kind.place}` };
  const url = parseHttpUrl(values[0] ?? '');
  if (url === null) return null;
  const page = findPage(url);
  return { url: page.url, text: `Open on ${page.place}` };
}
