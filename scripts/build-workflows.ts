/**
 * Bundles the workflows like the worker. Fails if one imports a module that is not deterministic.
 */
import { buildWorkflows } from '../temporal/bundle/build-bundle.ts';

const code = await buildWorkflows({ isTraced: false });
console.log(`workflow bundle: ${Math.round(code.length / 1024)} KiB`);
