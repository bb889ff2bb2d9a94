/** Names public copies for readers: by platform, or by host for a self-hosted Forem. */
import type { PublicCopy } from '../../../store/lists/related-content.ts';

const NAMES: Record<string, string> = { forem: 'DEV', hashnode: 'Hashnode', medium: 'Medium', linkedin: 'LinkedIn' };

export function nameCopies(copies: readonly PublicCopy[]): { name: string; url: string }[] {
  return copies.flatMap(({ platform, url }) => {
    if (!URL.canParse(url)) return [];
    const { protocol, host } = new URL(url);
    if (protocol !== 'https:' && protocol !== 'http:') return [];
    const isSelfHosted = platform === 'forem' && host !== 'dev.to';
    return [{ name: isSelfHosted ? host : (NAMES[platform] ?? host), url }];
  });
}
