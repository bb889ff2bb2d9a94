/**
 * GitHub's own parsers of action.yml and workflows. They import JSON like a bundler; a hook adds
 * the import attribute that Node requires.
 */
import { registerHooks } from 'node:module';

registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
});
const { parseAction } = await import('@actions/workflow-parser/actions/action-parser');
const { parseWorkflow } = await import('@actions/workflow-parser/workflows/workflow-parser');

const TRACE = { error: () => undefined, info: () => undefined, verbose: () => undefined };

/** Returns the problems that GitHub would report. */
export function checkAction(content: string): string[] {
  return listErrors(parseAction({ name: 'action.yml', content }, TRACE));
}

export function checkWorkflow(content: string): string[] {
  return listErrors(parseWorkflow({ name: 'workflow.yml', content }, TRACE));
}

function listErrors({ context }: ReturnType<typeof parseAction>): string[] {
  return context.errors.getErrors().map(({ message }) => message);
}
