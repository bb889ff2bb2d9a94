/** Runs the sandbox as a separate process until SIGTERM or SIGINT. */
import closeWithGrace from 'close-with-grace';
import { buildSandbox } from './app.ts';
import { readSandboxConfig } from './config.ts';

try {
  const { port, ...options } = readSandboxConfig(process.env);
  const sandbox = await buildSandbox(options);
  closeWithGrace({ delay: 5000 }, async ({ err }) => {
    if (err) console.error(`sandbox: ${err.message}`);
    await sandbox.close();
  });
  const { url } = await sandbox.listen(port);
  console.log(`sandbox: listening at ${url}`);
} catch (error) {
  const inUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  const message = error instanceof Error ? error.message : String(error);
  console.error(inUse ? `sandbox: port in use. Set SANDBOX_PORT to another port (${message})` : `sandbox: ${message}`);
  process.exit(1);
}
