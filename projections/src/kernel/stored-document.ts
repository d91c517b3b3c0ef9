import { documentTable, unpackDocument } from './all-projections.ts';
import type { Collection } from './projection.ts';
import type { Reader } from './read-model.ts';

/** The stored document of a key, or undefined. Every call gives a new one, so that a fold may change it. */
export const storedDocument = <D extends object>(reader: Reader, collection: Collection<D>, key: string): D | undefined => {
  const text = reader.text(`SELECT document FROM ${documentTable(collection).name} WHERE key = ?`, key);
  return text === undefined ? undefined : unpackDocument(collection, key, text, (sql, of) => reader.rows(sql, of));
};
