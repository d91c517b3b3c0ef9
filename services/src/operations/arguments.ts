import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { messageOf } from '@courtledger/contracts/kernel/errors';
import { countText } from '@courtledger/projections/operations/told-names';
import { UsageError } from './verb.ts';

type Parsed<O extends ParseArgsOptionsConfig> = {
  readonly values: ReturnType<typeof parseArgs<{ options: O; allowPositionals: true; strict: true }>>['values'];
  readonly words: readonly string[];
};

/**
 * Options and words of a verb.
 * @throws UsageError for an option that it does not know, an empty word or value (a variable of a script that is not set), or another number of words
 */
export const parseArguments = <const O extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: O,
  { least = 0, most = least }: { readonly least?: number; readonly most?: number } = {},
): Parsed<O> => {
  let parsed: ReturnType<typeof parseArgs<{ options: O; allowPositionals: true; strict: true }>>;
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    // What Node advises after it is about words that begin with a dash: no verb takes such.
    throw new UsageError(
      messageOf(error)
        .replaceAll(/\s*\n\s*/g, ' ')
        .replace(/ To specify .*$/, ''),
    );
  }
  if (parsed.positionals.includes('')) throw new UsageError('A word after the verb is empty');
  for (const [name, value] of Object.entries<unknown>(parsed.values)) if (value === '') throw new UsageError(`--${name} is empty`);
  const { length } = parsed.positionals;
  if (length < least || length > most)
    throw new UsageError(`Expected ${least === most ? '' : `${String(least)} to `}${countText(most, 'word')} after the verb, not ${String(length)}`);
  return { values: parsed.values, words: parsed.positionals };
};
