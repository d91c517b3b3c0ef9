import type { ReadReply } from './call.ts';
import { attachment } from './attachment.ts';

/** Without it a spreadsheet takes the file for one of its own country's old letters, and Devanagari for none. */
const byteOrderMark = '\uFEFF';

/** Comma-separated values as a file that spreadsheets open. */
export const csvFile = (name: string, csv: string): ReadReply => ({
  bytes: Buffer.from(byteOrderMark + csv),
  contentType: 'text/csv; charset=utf-8',
  headers: { 'Content-Disposition': attachment(name) },
});
