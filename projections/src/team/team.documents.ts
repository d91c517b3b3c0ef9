import type { PersonId } from '@courtledger/contracts/kernel/ids';
import type { Placed } from '../kernel/placed.ts';
import type { Collection } from '../kernel/projection.ts';

export type TeamDocument = {
  /** Of the team's own stream; -1 before its first fact. */
  revision: number;
  born: string | null;
  registeredAt: string;
  name: string;
  origin: string;
  logo: string;
  contactId: PersonId;
  coachId: string | null;
  /** In the order in which they were added. */
  players: { id: string; jersey: string }[];
  /** Entered, in the order of entry; told by tournament streams. */
  tournaments: Placed[];
  /** Not cancelled, in the order of assignment; told by match streams. */
  matches: Placed[];
  /** SHA-256 (hex) of the registration capability; null when an admin registered the team. */
  capabilityHash: string | null;
  expired: boolean;
};

export const teams: Collection<TeamDocument> = {
  name: 'team',
  initial: () => ({
    revision: -1,
    born: null,
    registeredAt: '',
    name: '',
    origin: '',
    logo: '',
    contactId: '',
    coachId: null,
    players: [],
    tournaments: [],
    matches: [],
    capabilityHash: null,
    expired: false,
  }),
};
