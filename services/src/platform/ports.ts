import { conflict, type DomainError } from '@courtledger/contracts/kernel/errors';
import type { PersonId } from '@courtledger/contracts/kernel/ids';
import type { PersonDetails } from '@courtledger/contracts/player/person.events';

/** Time from outside, so that tests move it. `now` in milliseconds since 1970; `monotonic` for time-outs, never set back. */
export type Clock = { now(): number; monotonic(): number };

/** For whoever would record something of a person whose key is destroyed, perhaps by another gateway at this moment. */
export const erased = (): DomainError => conflict('The details of this person were erased');

/** Seals personal details and documents under one key a person (`keys/`, never in the log). A destroyed key is remembered as destroyed and never made again. */
export type PersonVault = {
  /**
   * Makes the person's key when there is none yet. Throws `conflict` when the key was destroyed. Base64 of nonce + ciphertext + tag (AES-256-GCM, the person's
   * id as additional data).
   */
  seal(personId: PersonId, details: PersonDetails): string;
  /** null when the key is destroyed. Throws when the key is missing without having been destroyed, or the text was tampered with. */
  open(personId: PersonId, sealed: string): PersonDetails | null;
  sealBytes(personId: PersonId, plain: Buffer): Buffer;
  openBytes(personId: PersonId, sealed: Buffer): Buffer | null;
  /**
   * Settles when every key that was made so far is on the disk, without holding up anybody else. To be awaited before a fact that is sealed under a new key is
   * appended. Rejects with `unavailable` when the disk takes nothing, or there is a `refusal`.
   */
  keysDurable(): Promise<void>;
  /**
   * Why no key is made or destroyed: the file of keys was taken away or exchanged since it was opened, or another one was copied over it, and what is written
   * goes nowhere; or it lacks keys, and the right one is to take its place. Undefined as long as all is well.
   */
  refusal(): string | undefined;
  /** These persons are known to the log: whoever of them has no key is one that the file lacks. Said once, when the log has been looked at. */
  mustKnow(personIds: Iterable<string>): void;
  /** For erasure. Idempotent. @throws DomainError `unavailable` while there is a `refusal` */
  destroy(personId: PersonId): void;
  /**
   * Writes what stands beside the file into it: after a crash, a file that is put in its place is then not mixed with what was left of the one before. Called
   * now and then.
   */
  settle(): void;
  state(personId: PersonId): 'absent' | 'active' | 'destroyed';
  close(): void;
};
