import type { Actor } from '@courtledger/contracts/kernel/event';
import { createHash, createHmac } from 'node:crypto';
import type { Caller, CommandContext } from './call.ts';
import { derivedId } from './event-ids.ts';
import type { Clock } from './ports.ts';

/**
 * What the platform knows about a request before the endpoint's handler is asked. `method` and `path` as called (path without query, relative to the origin).
 */
export type CommandOrigin = {
  readonly caller: Caller;
  readonly method: string;
  readonly path: string;
  readonly idempotencyKey: string | undefined;
  readonly correlationId: string;
  /** ISO time of the request. */
  readonly time: string;
  /** The parsed body; read only when there is a key. */
  readonly body: unknown;
  /** Hashes (hex) of the files by field name. */
  readonly fileHashes: Readonly<Record<string, string>>;
};

/**
 * What every event of a command carries. With an Idempotency-Key the command id is the SHA-256 of caller, method, path and key;
 * without one it is `newId()`: nobody can repeat it, and no fingerprint is made.
 */
export const commandContext = (origin: CommandOrigin, newId: () => string): CommandContext => {
  const keyed = origin.idempotencyKey !== undefined;
  return {
    commandId: keyed ? commandIdOf(origin.caller, origin.method, origin.path, origin.idempotencyKey) : newId(),
    keyed,
    fingerprint: keyed ? fingerprintOf(origin.idempotencyKey, origin.body, origin.fileHashes) : '',
    correlationId: origin.correlationId,
    actor: actorOf(origin.caller),
    time: origin.time,
  };
};

/** Of what the server does by itself. */
export const systemContext = (newId: () => string, clock: Clock): CommandContext => {
  const commandId = newId();
  return {
    commandId,
    keyed: false,
    fingerprint: '',
    correlationId: commandId,
    actor: { role: 'system', id: 'housekeeping', name: 'Housekeeping' },
    time: new Date(clock.now()).toISOString(),
  };
};

/**
 * A trailing slash does not change the path; a registration cookie does not change the caller (the retry of step 1 may carry the cookie of its first answer).
 */
const commandIdOf = (caller: Caller, method: string, path: string, key: string): string => {
  const scope = caller.role === 'admin' || caller.role === 'superadmin' ? `${caller.role}:${caller.id}` : 'public';
  return createHash('sha256')
    .update(JSON.stringify([scope, method, path.replace(/\/$/, ''), key]))
    .digest('hex');
};

/** The same payload gives the same text whatever the order of its keys. */
const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, canonical(inner)]);
};

/** Under the client's key, which is stored nowhere: metadata is never erased, and a plain hash of a phone number or password could be guessed. */
const fingerprintOf = (key: string, body: unknown, fileHashes: Readonly<Record<string, string>>): string =>
  createHmac('sha256', key)
    .update(JSON.stringify([canonical(body), canonical(fileHashes)]))
    .digest('hex')
    .slice(0, 32);

/** Metadata is never erased: a name that could be a phone number or an e-mail address does not go into it. */
const auditName = (name: string, instead: string): string => (name.includes('@') || /^[\d\s+()-]{7,}$/.test(name) ? instead : name);

/** The caller as facts name who recorded them: without a phone number or an e-mail address. */
export const actorOf = (caller: Caller): Actor => {
  switch (caller.role) {
    case 'visitor':
      return { role: 'visitor', id: 'visitor', name: 'Visitor' };
    case 'registrant':
      return { role: 'registrant', id: caller.teamId, name: 'Team registration' };
    case 'admin':
      return { role: 'admin', id: caller.id, name: auditName(caller.name, 'Admin') };
    case 'superadmin':
      return { role: 'superadmin', id: auditName(caller.id, 'superadmin'), name: auditName(caller.name, 'Super admin') };
    default:
      return caller satisfies never;
  }
};

/** The id of something that this command creates: the same again on a retry with the same key, else a fresh one. */
export const createdId = (context: CommandContext, what: string, newId: () => string): string => (context.keyed ? derivedId(context.commandId, what) : newId());
