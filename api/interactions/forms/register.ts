/**
 * What readers do on the pages that everybody reads, with forms that need no script. Those pages are the same for all, so what came of a form is
 * said by a page for its sender alone; a script that asks for JSON is told it there.
 */
import type { FastifyInstance } from 'fastify';
import { compressPages } from '../../web/compress-pages.ts';
import { acceptForms } from '../../web/forms.ts';
import { allowViewer } from '../../web/viewer.ts';
import { authorForms } from './authors.ts';
import { commentForms } from './comments.ts';
import type { ReaderDeps } from './deps.ts';
import { ownCommentForms } from './managed-comments.ts';
import { reactionForms } from './reactions.ts';

export async function registerReaderForms(app: FastifyInstance, deps: ReaderDeps) {
  compressPages(app);
  await acceptForms(app);
  app.addHook('onRequest', allowViewer(deps));
  await commentForms(app, deps);
  await ownCommentForms(app, deps);
  await reactionForms(app, deps);
  await authorForms(app, deps);
}
