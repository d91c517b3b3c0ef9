import type { Terminal } from './verb.ts';

const short: Readonly<Record<string, string>> = { '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` };

/**
 * A text as one line: line breaks and whatever else moves the cursor, clears a line or turns its direction stand as JSON writes them (`\n`, `\u001b`), so that
 * a reason or a name cannot forge a line. Inside a text of JSON they are the same characters.
 */
export const lineText = (text: string): string =>
  text.replaceAll(
    /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu,
    (character) => short[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** An answer as JSON, indented: line breaks inside its texts are escaped, so that these are only the structure's. */
export const jsonLines = (answer: unknown): readonly string[] => JSON.stringify(answer, null, 1).split('\n');

/** Where the lines go: texts for standard output, and for standard error. */
export type TerminalStreams = { readonly out: (text: string) => void; readonly error: (text: string) => void; readonly isErrorTerminal: () => boolean };

/** The one place where lines are put together: a call is a line, whatever stands in its text. */
export const terminalOn = ({ out, error, isErrorTerminal }: TerminalStreams): Terminal => ({
  out: (line) => out(`${lineText(line)}\n`),
  note: (line) => error(`${lineText(line)}\n`),
  progress(line) {
    if (isErrorTerminal()) error(`\r\u001B[2K${lineText(line ?? '')}`);
  },
});
