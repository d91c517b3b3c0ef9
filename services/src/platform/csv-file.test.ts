import { expect, it } from 'vitest';
import { csvFile } from './csv-file.ts';

it('tells a spreadsheet that its letters are UTF-8, before the first of them', () => {
  expect(csvFile('Valley Cup standings.csv', 'Rank,Team Name\r\n1,हेटौंडा\r\n')).toStrictEqual({
    bytes: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('Rank,Team Name\r\n1,हेटौंडा\r\n')]),
    contentType: 'text/csv; charset=utf-8',
    headers: { 'Content-Disposition': 'attachment; filename="Valley Cup standings.csv"' },
  });
});
