import { z } from 'zod';
import type { Id } from './ids.ts';

/**
 * How a feature declares its facts: for each type the current version and the schema of its data.
 * Old versions are brought up to date on read by the upcasters in `services/src/event-log/upcast.ts` (facts of a version never change).
 */
export type FactDefinition<S extends z.ZodType = z.ZodType> = { readonly version: number; readonly schema: S };
export type FactDefinitions = Readonly<Record<string, FactDefinition>>;

/** The union of events `{type, data}` that a table of definitions declares. */
export type FactsOf<D extends FactDefinitions> = { [T in keyof D & string]: { readonly type: T; readonly data: z.output<D[T]['schema']> } }[keyof D & string];

/** A line of such a table. @param version of the schema as it stands: raised with every change, of which an upcaster and a golden file tell */
export const fact = <S extends z.ZodType>(version: number, schema: S): FactDefinition<S> => ({ version, schema });

/** A calendar day in Asia/Kathmandu, `YYYY-MM-DD`. */
export const factDay = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
/** `HH:mm` or empty. */
export const factTime = z.string().regex(/^(\d{2}:\d{2})?$/);
/** An id in a fact: ours, or an entry's, which a client may have made. */
export const factId = z.string().min(1).max(64);
/** The same schema for ids of one kind: an id of another kind in their place is an error of types. */
export const factIdOf = <I extends Id<string>>(): z.ZodType<I, string> => factId as unknown as z.ZodType<I, string>;
/** A root-relative media address, `/media/…`. */
export const factMedia = z.string();
