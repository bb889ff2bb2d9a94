/**
 * A thread that turns one MJML document into HTML and ends. MJML takes some 100 MB once it is loaded; a worker that
 * sends a digest now and then should not carry them from then on.
 */
import { parentPort, workerData } from 'node:worker_threads';
import mjml2html from 'mjml';

const { html, errors } = await mjml2html(String(workerData), { validationLevel: 'strict', fonts: {} });
if (errors.length > 0) throw new Error(`the mail's template: ${errors.map((error) => error.message).join('; ')}`);
parentPort?.postMessage(html);
