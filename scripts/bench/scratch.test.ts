import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('a run that is stopped leaves neither its folders nor the servers that it has started', async () => {
  const code = `import { spawn } from 'node:child_process'; import { endingWithRun, scratchFolder } from ${JSON.stringify(join(import.meta.dirname, 'scratch.ts'))};
const child = endingWithRun(spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])); console.log(scratchFolder(), child.pid);`;
  const run = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(run, 'close');
  const [said] = (await once(run.stdout, 'data')) as [Buffer];
  const [folder = '', pid] = said.toString().trim().split(' ');
  expect([existsSync(folder), process.kill(Number(pid), 0)]).toEqual([true, true]);
  run.kill('SIGTERM');
  expect([await ended, existsSync(folder)]).toEqual([[143, null], false]);
  await expect
    .poll(() => {
      try {
        return process.kill(Number(pid), 0);
      } catch (error) {
        return error instanceof Error && 'code' in error && error.code;
      }
    })
    .toBe('ESRCH');
});
