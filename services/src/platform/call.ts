import type { BodyOf, Endpoint, FilesOf, ParamsOf, QueryOf } from '@courtledger/contracts/kernel/endpoint';
import type { Actor } from '@courtledger/contracts/kernel/event';
import type { PersonId, TeamId } from '@courtledger/contracts/kernel/ids';

/** Who is calling, after authentication. `registrant` holds exactly the team whose cookie counted for this call. */
export type Caller =
  | { readonly role: 'visitor' }
  | { readonly role: 'registrant'; readonly teamId: TeamId }
  | { readonly role: 'admin'; readonly id: string; readonly name: string; readonly jti: string; readonly expires: number }
  | { readonly role: 'superadmin'; readonly id: string; readonly name: string; readonly jti: string; readonly expires: number };

/**
 * A file that was uploaded, checked and (images) re-encoded into a temporary file. `keep` moves it to its place, fsynced, and gives its reference (images:
 * `/media/<random>.jpg|png`; documents: a document id). Call it just before the append: file first, then the fact. What is not kept is removed when the call
 * ends.
 */
export type StagedFile = {
  readonly kind: 'image' | 'document';
  /** SHA-256 (hex) of the uploaded bytes: part of the fingerprint of the command. */
  readonly sha256: string;
  readonly extension: 'jpg' | 'png' | 'pdf';
  /** Documents are sealed under `personId`'s key. */
  keepImage(): Promise<string>;
  keepDocument(personId: PersonId): Promise<{ readonly documentId: string; readonly kind: 'pdf' | 'jpg' | 'png' }>;
};

/** What every event of a command carries (see EventMetadata). */
export type CommandContext = {
  /** Derived from caller, method, path and Idempotency-Key when there is a key (SHA-256, hex), else random. */
  readonly commandId: string;
  /** True when the client sent an Idempotency-Key. */
  readonly keyed: boolean;
  /** Hash of the parsed payload (multipart: fields and file hashes). */
  readonly fingerprint: string;
  readonly correlationId: string;
  readonly actor: Actor;
  /** ISO time of the request, from the clock port. */
  readonly time: string;
};

/** One call of an endpoint, parsed and authorised. */
export type Call<E extends Endpoint = Endpoint> = {
  readonly endpoint: E;
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  readonly files: Readonly<Partial<Record<FilesOf<E>, StagedFile>>>;
  readonly caller: Caller;
  readonly context: CommandContext;
  /** Today in Asia/Kathmandu, YYYY-MM-DD. */
  readonly today: string;
  /** Where the call came from, for throttles only (`clientAddress` in throttle-address.ts: IPv6 by /56). Never stored in clear. */
  readonly address: string;
};

export type CookieChange = { readonly name: string; readonly value: string; readonly path: string; readonly maxAgeSeconds: number };

/** Answer of a read: the JSON text that the read model stores (or bytes for other media types); undefined is 404 with `missing`. */
export type ReadReply =
  | { readonly json: string }
  | { readonly bytes: Buffer; readonly contentType: string; readonly headers?: Readonly<Record<string, string>> }
  | { readonly missing: string };

/**
 * Answer of a command. `position`: where it stands in the log (nothing appended: the stream's last position). `body` is serialised as JSON; a string is taken
 * as JSON text already.
 */
export type CommandReply = {
  readonly body: unknown;
  readonly position: bigint | undefined;
  /** The projection was not there within 2 s: answered from the stream, `X-Projection: pending`. */
  readonly pending?: boolean;
  readonly cookies?: readonly CookieChange[];
};

export type ReadHandler<E extends Endpoint> = (call: Call<E>) => ReadReply | Promise<ReadReply>;
export type CommandHandler<E extends Endpoint> = (call: Call<E>) => Promise<CommandReply>;

/**
 * An endpoint with its handler. `bindRead` and `bindCommand` in endpoint.ts make them; product.ts checks that every endpoint of the contracts is bound exactly
 * once.
 */
export type Bound = { readonly endpoint: Endpoint; readonly handle: (call: Call) => Promise<ReadReply | CommandReply> };
