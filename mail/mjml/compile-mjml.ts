/**
 * A process that converts MJML from standard input into HTML. MJML needs 80 MB once loaded, which
 * only the end of a process returns to the machine. A thread would keep it in the worker.
 */
import { text } from 'node:stream/consumers';
import mjml2html from 'mjml';

const { html, errors } = await mjml2html(await text(process.stdin), { validationLevel: 'strict', fonts: {} });
if (errors.length > 0) throw new Error(`invalid mail template: ${errors.map((error) => error.message).join('; ')}`);
process.stdout.write(html);
