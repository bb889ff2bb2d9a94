#!/usr/bin/env node
// Starts the built program, or says what is missing. Old syntax only, so that an old Node gets this far.
import { existsSync } from 'node:fs';

const built = new URL('../dist/courant.js', import.meta.url);
const major = Number(process.versions.node.split('.')[0]);

if (major < 20) {
  console.error(`courant needs Node.js 20.0.0 or later; this is ${process.versions.node}.`);
  process.exitCode = 1;
} else if (!existsSync(built)) {
  console.error('courant is not built yet. In the root of the repository, run: npm run build:cli');
  process.exitCode = 1;
} else {
  import(built.href).catch((error) => {
    console.error(error);
    process.exitCode = 1;
  });
}
