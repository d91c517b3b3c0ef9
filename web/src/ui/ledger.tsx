import type { ReactElement, ReactNode } from 'react';

export type LedgerColumn = { readonly key: string; readonly title: ReactNode; readonly className?: string };

type LedgerProps = {
  /** Says what the table holds; read out, not shown. */
  readonly caption: string;
  readonly columns: readonly LedgerColumn[];
  readonly className?: string;
  /** Rows of the body. */
  readonly children: ReactNode;
  readonly foot?: ReactNode;
};

/** A ledger: ruled rows under a chalk rule, no boxes. */
export const Ledger = ({ caption, columns, className = '', children, foot }: LedgerProps): ReactElement => (
  <table className={`ledger ${className}`.trim()}>
    <caption className="sr">{caption}</caption>
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column.key} scope="col" {...(column.className !== undefined && { className: column.className })}>
            {column.title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
    {foot !== undefined && <tfoot>{foot}</tfoot>}
  </table>
);
