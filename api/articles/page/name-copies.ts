/** Copies as readers know them: by the platform, and by their host where the platform is not one place. */
import type { PublicCopy } from '../../../store/lists/surroundings.ts';

const PLACES: Record<string, string> = { forem: 'DEV', hashnode: 'Hashnode', medium: 'Medium', linkedin: 'LinkedIn' };

export function nameCopies(copies: readonly PublicCopy[]): { name: string; url: string }[] {
  return copies.flatMap(({ platform, url }) => {
    if (!URL.canParse(url)) return [];
    const { protocol, host } = new URL(url);
    if (protocol !== 'https:' && protocol !== 'http:') return [];
    const isOwnPlace = platform === 'forem' && host !== 'dev.to';
    return [{ name: isOwnPlace ? host : (PLACES[platform] ?? host), url }];
  });
}
