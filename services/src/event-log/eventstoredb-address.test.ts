import { expect, it } from 'vitest';
import { withoutPassword } from './eventstoredb-address.ts';

it.each([
  ['esdb://host:2113?tls=false', 'esdb://host:2113?tls=false'],
  ['esdb://admin:secret@host:2113', 'esdb://host:2113'],
  ['esdb+discover://admin:p@ss@one,two,three?tls=true', 'esdb+discover://one,two,three?tls=true'],
])('shows %s as %s', (url, shown) => {
  expect(withoutPassword(url)).toBe(shown);
});
