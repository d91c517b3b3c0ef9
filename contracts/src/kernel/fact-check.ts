import { z } from 'zod';
import { allFacts, type FactType } from './all-facts.ts';
import { factId } from './facts.ts';

type Look = (value: unknown) => boolean;

const isId: Look = (value) => typeof value === 'string' && value.length > 0 && value.length <= 64;
const isText: Look = (value) => typeof value === 'string';
const isWholeNumber: Look = (value) => Number.isSafeInteger(value);

/** A look that says what the schema says, quicker: a rebuild takes one at every event. What it does not know is asked of the schema itself. */
const lookOf = (schema: z.ZodType): Look => {
  if (schema === factId) return isId;
  if (schema instanceof z.ZodOptional) {
    const look = lookOf(schema.unwrap() as z.ZodType);
    return (value) => value === undefined || look(value);
  }
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape as Readonly<Record<string, z.ZodType>>).map(([name, field]) => ({ name, look: lookOf(field) }));
    return (value) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
      for (const { name, look } of fields) if (!look((value as Readonly<Record<string, unknown>>)[name])) return false;
      return true;
    };
  }
  const { type, checks = [] } = schema.def;
  if (type === 'string' && checks.length === 0) return isText;
  if (schema instanceof z.ZodNumberFormat && schema.format === 'safeint' && checks.length === 0) return isWholeNumber;
  return (value) => schema.safeParse(value).success;
};

const looks = new Map<string, Look>(Object.entries(allFacts).map(([type, { schema }]) => [type, lookOf(schema)]));

/** Why data of the current version are no such fact, with the field that is wrong; undefined where they are one. */
export const factFault = (type: FactType, data: unknown): string | undefined => {
  if (looks.get(type)?.(data) === true) return undefined;
  const parsed = allFacts[type].schema.safeParse(data);
  const [issue] = parsed.success ? [] : parsed.error.issues;
  return issue && (issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`);
};
