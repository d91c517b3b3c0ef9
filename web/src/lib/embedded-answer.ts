import { noteRead } from './api-client.ts';

type Embedded = { readonly address: string; readonly position: string; readonly answer: unknown };

let read: Embedded | null | undefined;

const readOnce = (): Embedded | null => {
  if (read !== undefined) return read;
  try {
    read = JSON.parse(document.querySelector('#first-answer')?.textContent ?? 'null') as Embedded | null;
  } catch {
    read = null;
  }
  if (read) noteRead(read.position);
  return read;
};

/** The answer that the server put into the page, and when it did (milliseconds since 1970). Undefined when it put in none, or another. */
export const embeddedAnswer = (address: string): { readonly answer: unknown; readonly at: number } | undefined => {
  const embedded = readOnce();
  return embedded?.address === address ? { answer: embedded.answer, at: performance.timeOrigin } : undefined;
};
