/** Bundles the workflows as the worker does: fails where one imports what is not deterministic. */
import { buildWorkflows } from '../temporal/build-bundle.ts';

const code = await buildWorkflows({ isTraced: false });
console.log(`workflow bundle: ${Math.round(code.length / 1024)} KiB`);
