/**
 * Runs the steps of action.yml like the GitHub runner: default inputs, an environment per step,
 * output and summary files, and the bash options of `shell: bash`. npm installs the packed command
 * line.
 */
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { buildCli, CLI_BUNDLE } from '../../../scripts/build-cli.ts';
import { runProcess } from '../../cli/cli-home.ts';
import { type Annotation, readAnnotations } from './annotations.ts';

const ROOT = new URL('../../../', import.meta.url).pathname;

export interface ActionRun {
  event: string;
  payload?: object;
  inputs?: Record<string, string>;
}

export interface ActionResult {
  code: number | null;
  /** The output of both streams, because the runner reads commands from each. */
  log: string;
  annotations: Annotation[];
  outputs: Record<string, string>;
  summary: string;
}

export interface Runner {
  /** Runs the last step, which publishes, in a repository. */
  publish(workspace: string, run: ActionRun): Promise<ActionResult>;
}

interface Definition {
  inputs: Record<string, { default?: string }>;
  runs: { steps: { run: string; env?: Record<string, string> }[] };
}

let runner: Promise<Runner> | undefined;

/** Runs the first step, which installs, once per process: it takes seconds of processor time. */
export function startRunner(): Promise<Runner> {
  runner ??= install();
  return runner;
}

async function install(): Promise<Runner> {
  const temp = await mkdtemp(join(tmpdir(), 'courant-runner-'));
  process.once('exit', () => rmSync(temp, { recursive: true, force: true }));
  const definition = parse(await readFile(join(ROOT, 'action.yml'), 'utf8')) as Definition;
  const [first, publish] = definition.runs.steps;
  if (first === undefined || publish === undefined) throw new Error('action.yml has not the two steps.');

  const runStep = async (step: typeof publish, folder: string, inputs: Record<string, string>, env: object) => {
    const values = Object.entries(step.env ?? {}).map(([name, text]) => [name, evaluate(text, definition, inputs)]);
    return runProcess('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', step.run], folder, {
      env: { RUNNER_TEMP: temp, GITHUB_ACTION_PATH: ROOT, ...env, ...Object.fromEntries(values) },
    });
  };
  const installed = await runStep(first, temp, { cli: await packCli(temp) }, {});
  if (installed.code !== 0) throw new Error(`The command line was not installed: ${installed.stderr}`);

  return {
    async publish(workspace, { event, payload = {}, inputs = {} }) {
      const files = {
        output: join(temp, 'output'),
        summary: join(temp, 'summary.md'),
        event: join(temp, 'event.json'),
      };
      await writeFile(files.output, '');
      await writeFile(files.summary, '');
      await writeFile(files.event, JSON.stringify(payload));
      const { code, stdout, stderr } = await runStep(publish, workspace, inputs, {
        ...{ GITHUB_WORKSPACE: workspace, GITHUB_EVENT_NAME: event, GITHUB_EVENT_PATH: files.event },
        ...{ GITHUB_OUTPUT: files.output, GITHUB_STEP_SUMMARY: files.summary },
      });
      const log = stdout + stderr;
      const lines = (await readFile(files.output, 'utf8')).split('\n').filter((line) => line !== '');
      return {
        ...{ code, log, annotations: readAnnotations(log), summary: await readFile(files.summary, 'utf8') },
        outputs: Object.fromEntries(
          lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
        ),
      };
    },
  };
}

/** Evaluates the only kind of expression that the steps use. */
function evaluate(text: string, { inputs }: Definition, values: Record<string, string>): string {
  return text.replace(/\$\{\{ inputs\.([a-z-]+) \}\}/g, (_, name: string) => {
    const input = inputs[name];
    if (input === undefined) throw new Error(`action.yml has no input "${name}".`);
    return values[name] ?? input.default ?? '';
  });
}

/** Packs the command line like `npm publish`. */
async function packCli(folder: string): Promise<string> {
  await buildCli();
  const cli = join(CLI_BUNDLE, '../..');
  const args = ['pack', '--ignore-scripts', '--json', `--pack-destination=${folder}`, cli];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: folder });
  const [packed] = JSON.parse(stdout) as { filename: string }[];
  return join(folder, packed?.filename ?? '');
}
