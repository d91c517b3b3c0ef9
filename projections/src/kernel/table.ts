/** What a column of the read model may hold. Positions are bigint here and decimal text in documents and JSON. */
export type SqlValue = string | number | bigint | null;
/** A row in the order of its table's columns, key first. */
export type Row = readonly SqlValue[];

/** A table of the read model: key columns, then value columns, each with its SQL type. */
export type Table = {
  readonly name: string;
  readonly key: readonly string[];
  readonly columns: readonly string[];
  readonly create: string;
  readonly indexes: readonly string[];
};

/**
 * Declares a table. `key` and `values` map column names to SQL types; `indexes` are column lists, each with an optional `WHERE` after them.
 * `clustered`: rows live in the key's own tree (short rows that are read by a prefix of their key).
 */
export const table = (
  name: string,
  key: Readonly<Record<string, string>>,
  values: Readonly<Record<string, string>>,
  { indexes = [], clustered = false }: { readonly indexes?: readonly string[]; readonly clustered?: boolean } = {},
): Table => {
  const columns = Object.entries({ ...key, ...values }).map(([column, type]) => `${column} ${type}`);
  const keyNames = Object.keys(key);
  return {
    name,
    key: keyNames,
    columns: [...keyNames, ...Object.keys(values)],
    create: `CREATE TABLE ${name} (${columns.join(', ')}, PRIMARY KEY (${keyNames.join(', ')}))${clustered ? ' WITHOUT ROWID' : ''}`,
    indexes: indexes.map((index, at) => {
      const [list = '', ...condition] = index.split(' WHERE ');
      return `CREATE INDEX ${name}_${String(at)} ON ${name} (${list})${condition.map((part) => ` WHERE ${part}`).join('')}`;
    }),
  };
};

const marks = (count: number): string => Array.from({ length: count }, () => '?').join(', ');

export const insertSql = ({ name, columns }: Table): string => `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${marks(columns.length)})`;

export const upsertSql = (of: Table): string => {
  const changes = of.columns.slice(of.key.length).map((column) => `${column} = excluded.${column}`);
  return `${insertSql(of)} ON CONFLICT (${of.key.join(', ')}) DO ${changes.length === 0 ? 'NOTHING' : `UPDATE SET ${changes.join(', ')}`}`;
};

/** Removes the rows whose first `keyLength` key columns equal the values given. */
export const removeSql = ({ name, key }: Table, keyLength: number): string =>
  `DELETE FROM ${name} WHERE ${key
    .slice(0, keyLength)
    .map((column) => `${column} = ?`)
    .join(' AND ')}`;
