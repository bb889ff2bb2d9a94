/**
 * A process that converts the MJML on its standard input into HTML and exits. MJML takes some 80 MB once it is loaded. A thread would
 * return them to its process only, not to the machine, so a worker that sends a digest now and then would keep them.
 */
import { text } from 'node:stream/consumers';
import mjml2html from 'mjml';

const { html, errors } = await mjml2html(await text(process.stdin), { validationLevel: 'strict', fonts: {} });
if (errors.length > 0) throw new Error(`the mail's template: ${errors.map((error) => error.message).join('; ')}`);
process.stdout.write(html);
