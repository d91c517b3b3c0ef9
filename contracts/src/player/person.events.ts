import { z } from 'zod';
import type { RecordedEvent } from '../kernel/event.ts';
import { fact, factId, factIdOf, factMedia, type FactsOf } from '../kernel/facts.ts';
import type { PersonId, TeamId } from '../kernel/ids.ts';
import { streamOf } from '../kernel/streams.ts';

/** What a person stream keeps, before it is sealed. Fields that do not apply to the kind are absent. */
export const personDetails = z.object({
  name: z.string().optional(),
  phone: z.string().optional(),
  phone2: z.string().optional(),
  email: z.string().optional(),
  age: z.int().optional(),
  height: z.int().optional(),
  weight: z.int().optional(),
  photo: factMedia.optional(),
  /** Reference into the document store; never an address. */
  document: z.object({ documentId: factId, kind: z.enum(['pdf', 'jpg', 'png']) }).optional(),
});
export type PersonDetails = z.output<typeof personDetails>;
export const personKind = z.enum(['player', 'coach', 'team-contact', 'requester']);
export type PersonKind = z.output<typeof personKind>;

export const personFacts = {
  /**
   * The whole of a person's details, each time anew; the last one counts. `sealed` is their JSON under that person's key
   * (AES-256-GCM, base64 of nonce + ciphertext + tag), so that a destroyed key makes every copy unreadable.
   */
  PersonDetailsRecorded: fact(1, z.object({ personId: factIdOf<PersonId>(), kind: personKind, teamId: factIdOf<TeamId>().nullable(), sealed: z.string() })),
};
export type PersonEvent = FactsOf<typeof personFacts>;
/** What projections are given instead of the sealed fact: opened details. Where the key is destroyed they are given the erasure in its place, never null. */
export type OpenedPersonEvent = {
  readonly type: 'PersonDetailsRecorded';
  readonly data: { readonly personId: PersonId; readonly kind: PersonKind; readonly teamId: TeamId | null; readonly details: PersonDetails | null };
};
export const personStream = (personId: PersonId): string => streamOf('person', personId);
const prefix = personStream('');
/** Whose stream it is; undefined when it is no person's. */
export const personIdOf = (stream: string): string | undefined => (stream.startsWith(prefix) ? stream.slice(prefix.length) : undefined);

/** Whether a fact has details that a key opens: an erased one has not, nor one that is not what its type says. */
export const hasSealedDetails = ({ type, data }: Pick<RecordedEvent, 'type' | 'data'>): boolean =>
  type === 'PersonDetailsRecorded' && typeof (data as { readonly sealed?: unknown } | null | undefined)?.sealed === 'string';

export const auditFacts = {
  DocumentViewed: fact(1, z.object({ playerId: factIdOf<PersonId>(), documentId: factId })),
  PersonErased: fact(1, z.object({ personId: factIdOf<PersonId>(), kind: personKind, reason: z.string() })),
  /** `jti` of one token (logout), with the second at which it would have expired anyway. */
  SessionRevoked: fact(1, z.object({ role: z.enum(['admin', 'superadmin']), subjectId: factId, jti: factId, expires: z.int() })),
};
export type AuditEvent = FactsOf<typeof auditFacts>;
/** One stream a month (UTC), from the time of recording. */
export const auditStream = (isoTime: string): string => streamOf('audit', isoTime.slice(0, 7));
