import { expect, it } from 'vitest';
import { actorText } from './event-lines.ts';

it.each([
  [{ actor: { role: 'admin', name: 'Asha' } }, 'admin Asha'],
  [{ actor: { role: 'admin' } }, 'nobody known'],
  [{ actor: { role: { id: 1 }, name: 'Asha' } }, 'nobody known'],
  [{ actor: {} }, 'nobody known'],
  [{ actor: 'Asha' }, 'nobody known'],
  [{}, 'nobody known'],
  ['a text', 'nobody known'],
])('who recorded an event with the metadata %j', (metadata, text) => {
  expect(actorText({ metadata })).toBe(text);
});
