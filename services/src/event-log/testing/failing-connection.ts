import Database from 'better-sqlite3';
import { openLogConnection } from '../sqlite-connection.ts';

/** A plan of faults for the connections of one log file. */
export type FaultPlan = {
  /** Called with each statement run through `exec` before it runs: what it throws is SQLite's answer. */
  before?: (sql: string) => void;
  /** Called after the statement has run, as an error that comes too late to undo it. */
  after?: (sql: string) => void;
  /** Called before a connection is opened, with how many were opened before. */
  open?: (count: number) => void;
};

export const sqliteError = (code: string): Error => new Database.SqliteError(`injected ${code}`, code);

/** Makes connections whose statements fail as planned; all else is real. */
export const failingConnections = (plan: FaultPlan): { readonly connect: (path: string) => Database.Database; readonly statements: string[] } => {
  const statements: string[] = [];
  let opened = 0;
  return {
    statements,
    connect(path) {
      plan.open?.(opened);
      opened += 1;
      const real = openLogConnection(path);
      return new Proxy(real, {
        get(target, property) {
          if (property === 'exec')
            return (sql: string) => {
              statements.push(sql);
              plan.before?.(sql);
              target.exec(sql);
              plan.after?.(sql);
              return target;
            };
          const value: unknown = Reflect.get(target, property, target);
          return typeof value === 'function' ? (value as (...of: unknown[]) => unknown).bind(target) : value;
        },
      });
    },
  };
};
