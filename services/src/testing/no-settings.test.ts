import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseConfig, readEnvironment } from '../platform/config.ts';
import { noSettings } from './no-settings.ts';

const root = join(import.meta.dirname, '../../..');

it('leaves empty every variable that the configuration is made of', () => {
  const read = new Set<string>();
  const listening = new Proxy<Record<string, string>>(
    {},
    {
      get(_, name) {
        read.add(String(name));
        return undefined;
      },
    },
  );
  const config = parseConfig(listening, root);
  expect(Object.keys(noSettings)).toEqual(expect.arrayContaining([...read]));
  // Also where a file .env stands in the root.
  expect(parseConfig(readEnvironment(root, noSettings), root)).toEqual(config);
});
