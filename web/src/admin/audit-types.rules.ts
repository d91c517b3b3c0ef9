import type { FactType } from '@courtledger/contracts/kernel/all-facts';
import type { Role } from '../lib/session.ts';

/**
 * Every fact of the contract, and who sees it in the audit: what is told of accounts, the super admin alone. The type check names a fact that is missing here;
 * the contract itself stays out of the pages.
 */
const facts = {
  StatIncrementRecorded: 'staff',
  StatEntryReversed: 'staff',
  PlayerParticipationRecorded: 'staff',
  MatchAssigned: 'staff',
  MatchRescheduled: 'staff',
  MatchMvpNamed: 'staff',
  MatchCancelled: 'staff',
  TournamentCreated: 'staff',
  TournamentDetailsChanged: 'staff',
  TournamentRequested: 'staff',
  TournamentRequestClosed: 'staff',
  TeamRegistered: 'staff',
  CoachAppointed: 'staff',
  PlayerAddedToTeam: 'staff',
  TeamRegistrationCompleted: 'staff',
  TeamRegistrationExpired: 'staff',
  TeamEnteredTournament: 'staff',
  TeamWithdrawnFromTournament: 'staff',
  TeamDetailsCorrected: 'staff',
  PlayerJerseyNumberChanged: 'staff',
  PersonDetailsRecorded: 'staff',
  PersonErased: 'staff',
  DocumentViewed: 'staff',
  AdminCreated: 'superadmin',
  AdminDetailsChanged: 'superadmin',
  AdminPasswordChanged: 'superadmin',
  AdminEmailClaimed: 'superadmin',
  AdminEmailReleased: 'superadmin',
  SessionRevoked: 'superadmin',
} as const satisfies Readonly<Record<FactType, 'staff' | 'superadmin'>>;

/** Every type of fact in the log. */
export const factTypes: readonly string[] = Object.keys(facts);

/** What the audit can be narrowed to: the facts that the role sees, a move (two facts of one command), and what was refused. */
export const auditTypes = (role: Role): readonly string[] => [
  ...Object.entries(facts).flatMap(([type, seenBy]) => (role === 'superadmin' || seenBy === 'staff' ? [type] : [])),
  'StatEntryMoved',
  'Refused',
];

/** `StatEntryMoved` as `Stat entry moved`, and `MatchMvpNamed` as `Match MVP named`. */
export const typeInWords = (type: string): string =>
  type.replaceAll(/([a-z])([A-Z])/g, (_, low: string, high: string) => `${low} ${high.toLowerCase()}`).replace(' mvp ', ' MVP ');
