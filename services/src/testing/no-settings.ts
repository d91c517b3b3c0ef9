import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const sample = readFileSync(join(import.meta.dirname, '../../../.env.example'), 'utf8');

/**
 * Every setting of the product, left empty: what the shell or a file .env says of an installation of somebody's own is none of a test's or a measurement's.
 * They would record into its event store, and back up into its folder.
 */
export const noSettings: Readonly<Record<string, string>> = Object.fromEntries([...sample.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name = '']) => [name, '']));
