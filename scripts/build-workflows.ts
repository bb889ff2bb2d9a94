/** Bundles the workflows like the worker. Fails if one imports a non-deterministic module. */
import { buildWorkflows } from '../temporal/bundle/build-bundle.ts';

const code = await buildWorkflows({ isTraced: false });
console.log(`workflow bundle: ${Math.round(code.length / 1024)} KiB`);
