import { expect, it } from 'vitest';
import { attachment } from './attachment.ts';

it.each([
  ['Valley Cup standings.csv', 'attachment; filename="Valley Cup standings.csv"'],
  [
    'हेटौंडा standings.csv',
    'attachment; filename="standings.csv"; filename*=UTF-8\'\'%E0%A4%B9%E0%A5%87%E0%A4%9F%E0%A5%8C%E0%A4%82%E0%A4%A1%E0%A4%BE%20standings.csv',
  ],
  [
    "Café's (Cup)* 50% standings.csv",
    "attachment; filename=\"Cafe's (Cup)* 50 standings.csv\"; filename*=UTF-8''Caf%C3%A9%27s%20%28Cup%29%2A%2050%25%20standings.csv",
  ],
  ['．．／up standings.csv', 'attachment; filename="..up standings.csv"; filename*=UTF-8\'\'%EF%BC%8E%EF%BC%8E%EF%BC%8Fup%20standings.csv'],
  ['a"; filename="b\r\nX: y', 'attachment; filename="a; filename=bX: y"; filename*=UTF-8\'\'a%22%3B%20filename%3D%22b%0D%0AX%3A%20y'],
  ['\uD800.csv', 'attachment; filename=".csv"; filename*=UTF-8\'\'%EF%BF%BD.csv'],
])('%s', (name, header) => {
  expect(attachment(name)).toBe(header);
});
