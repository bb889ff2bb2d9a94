/** The articles of the simulated Forem, and what its requests need. */
import type { ForemAccount } from '../accounts.ts';
import type { SandboxContext } from '../context.ts';
import type { SandboxPost, Table } from '../state.ts';
import type { ForemRates } from './rates.ts';

export interface ForemArticle extends SandboxPost {
  status: 'published' | 'draft';
  slug: string;
  bodyMarkdown: string;
  tags: string[];
  description: string | null;
  mainImage: string | null;
  publishedAt: string | null;
  editedAt: string | null;
}

export interface ForemContext extends SandboxContext {
  articles: Table<ForemArticle>;
  rates: ForemRates;
}

/** The name that an account's articles have, whatever the account is called now. */
export function nameOwner({ username, formerName = username }: ForemAccount): string {
  return formerName;
}
