import type { Fact, FactType } from '@courtledger/contracts/kernel/all-facts';
import type { OpenedPersonEvent } from '@courtledger/contracts/player/person.events';
import type { Row, SqlValue, Table } from './table.ts';

/**
 * A kind of document. Projections change documents in place (the runner owns them); rows and stored answers are made from them at flush.
 * `pack`/`unpack` turn a document into plain JSON and back where it is not plain already. A document never holds `undefined`:
 * it would be lost in JSON and come back in another place.
 */
export type Collection<D extends object = object> = {
  readonly name: string;
  readonly initial: (key: string) => D;
  readonly pack?: (document: D) => unknown;
  readonly unpack?: (json: unknown) => D;
  /** Authentication reads these: whoever remembers an account or a session reads it anew once one of them changed. */
  readonly ofAccounts?: true;
  /**
   * Of a document that is kept in part by a view's rows, so that a change writes only those: `select` reads them by the document's key, `restore` puts them
   * back into what `unpack` gave.
   */
  readonly parts?: { readonly select: string; readonly restore: (document: D, rows: readonly (readonly SqlValue[])[]) => void };
};

/** What a projection may do. In a rebuild `touch` does nothing, because every view is rendered once at the end. */
export type Documents = {
  /** A document to look at, or undefined when no fact has told of it. */
  read<D extends object>(collection: Collection<D>, key: string): D | undefined;
  /** A document to change; it is begun when there is none (facts of several streams may arrive in any order). */
  change<D extends object>(collection: Collection<D>, key: string): D;
  /** What is shown of `key` in `view` changed. `part` narrows it to one of the rows of that key. */
  touch(view: View, key: string, part?: string): void;
};

/** Where a view writes its rows. */
export type RowWriter = {
  put(table: Table, row: Row): void;
  /** Removes the rows that begin with this key. */
  remove(table: Table, key: readonly SqlValue[]): void;
};

/**
 * Rows of one or several tables, rendered from the document `key` of `over` and from documents that it refers to. Pure, and complete: it puts or removes
 * every row of the key (of the given `parts` only, when parts were touched), so that rendering twice changes nothing.
 */
export type View = {
  readonly name: string;
  readonly over: Collection;
  readonly tables: readonly Table[];
  readonly rows: (key: string, documents: Pick<Documents, 'read'>, write: RowWriter, parts: ReadonlySet<string> | undefined) => void;
};

/** Declares a view; the document's type stays with its collection. */
export const view = <D extends object>(
  name: string,
  over: Collection<D>,
  tables: readonly Table[],
  rows: (key: string, document: D, documents: Pick<Documents, 'read'>, write: RowWriter, parts: ReadonlySet<string> | undefined) => void,
): View => ({
  name,
  over: over as unknown as Collection,
  tables,
  rows(key, documents, write, parts) {
    const document = documents.read(over, key);
    if (document !== undefined) rows(key, document, documents, write, parts);
  },
});

/** Data of a fact as projections see it: personal details come opened. */
export type ProjectedData<T extends FactType> = T extends 'PersonDetailsRecorded' ? OpenedPersonEvent['data'] : Extract<Fact, { type: T }>['data'];

/** What a projection sees of an event: never the clock, never the metadata. */
export type ProjectedEvent<T extends FactType = FactType> = {
  readonly position: bigint;
  readonly revision: number;
  readonly time: string;
  readonly data: ProjectedData<T>;
};

export type Apply<T extends FactType = FactType> = (event: ProjectedEvent<T>, documents: Documents) => void;

/** What one feature's facts do to documents. Deterministic; an event that cannot be (a statistic of no match) throws. */
export type Projection = { readonly name: string; readonly on: { readonly [T in FactType]?: Apply<T> } };

/** A fact that contradicts what its stream said before. */
export class ImpossibleFact extends Error {
  override readonly name = 'ImpossibleFact';
}

/** The facts have no effect on documents: they are only in the ledger. */
export const noEffect = (): void => {
  // Nothing shown depends on it.
};
