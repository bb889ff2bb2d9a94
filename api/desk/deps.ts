/** What every section of the desk is given. `onDecided`: something is in the outbox. */
import type { AccountDeps } from '../accounts/deps.ts';
import type { ApiDeps } from '../deps.ts';
import type { PublishDeps } from '../publish/publish-document.ts';

export type DeskDeps = ApiDeps & AccountDeps & Pick<PublishDeps, 'line' | 'onPublished'>;
