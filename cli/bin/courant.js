#!/usr/bin/env node
// Starts the built program, or prints why it cannot. Uses only syntax of Node 16, so that the
// version check runs on old versions.
'use strict';
const fs = require('node:fs');
const { enableCompileCache } = require('node:module');
const path = require('node:path');

const bundle = path.join(__dirname, '../dist/courant.cjs');
const { XDG_CACHE_HOME, LOCALAPPDATA, HOME } = process.env;
const cacheHome = XDG_CACHE_HOME || LOCALAPPDATA || path.join(HOME || '', '.cache');

if (Number(process.versions.node.split('.')[0]) < 20) {
  console.error(`courant needs Node.js 20.0.0 or later; this is ${process.versions.node}.`);
  process.exitCode = 1;
} else if (!fs.existsSync(bundle)) {
  console.error('courant is not built. In the root of the repository, run: npm run build:cli');
  process.exitCode = 1;
} else {
  // A short command spends most of its time compiling. Node 22.1 or later caches compiled code: in a folder of the
  // user, because Node's own default is shared between users. It stores a script before it runs, so that all functions
  // are compiled at once. Without a cache, that would cost time.
  if (path.isAbsolute(cacheHome) && enableCompileCache?.(path.join(cacheHome, 'courant', 'cli')).directory)
    require('node:v8').setFlagsFromString('--no-lazy');
  require(bundle);
}
