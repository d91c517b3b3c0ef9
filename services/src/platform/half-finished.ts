import type { Fact } from '@courtledger/contracts/kernel/all-facts';
import { isLegible, type RecordedEvent } from '@courtledger/contracts/kernel/event';
import type { AdminId, PersonId, TeamId, TournamentId } from '@courtledger/contracts/kernel/ids';
import { REGISTRATION_LIFETIME_MS } from '@courtledger/contracts/kernel/limits';
import { isOfAnotherProgram } from '@courtledger/contracts/kernel/other-programs';
import { personIdOf, type PersonKind } from '@courtledger/contracts/player/person.events';
import type { After } from '../event-log/event-log.ts';
import { EventNotRead } from '../event-log/event-not-read.ts';
import { expectReadable, toFact } from '../event-log/upcast.ts';
import { pagesUntilKept, type KeptFold } from './kept-fold.ts';

/** A first half whose second half is due: a tournament that was entered by a team whose registration is not complete. */
export type OpenEntry = {
  readonly teamId: TeamId;
  readonly tournamentId: TournamentId;
  readonly commandId: string;
  readonly fingerprint: string | undefined;
  readonly correlationId: string;
};
export type LonelyPerson = { readonly personId: PersonId; readonly kind: PersonKind; readonly reason: string };
export type HeldEmail = { readonly stream: string; readonly adminId: AdminId };

/** What the log, folded up to a position, says is unfinished. Facts of matches and details pass by; kept is what is open, and which teams are complete. */
export type Unfinished = {
  position: After;
  /**
   * Since when this folder knows this log, in milliseconds: what was left alone before that is counted from here, since the log may be an older copy, or a
   * wrong one, in which the end of it is not told.
   */
  known: number;
  readonly entries: Map<string, OpenEntry>;
  readonly completed: Set<string>;
  /** Registrations under way, by team: when they began, and who belongs to them. */
  readonly registrations: Map<string, { readonly since: number; readonly people: Map<string, PersonKind> }>;
  /**
   * Persons that no team or request refers to yet. The kind is unknown when the details are gone from the log already: freed, but for the fact that says so.
   */
  readonly lonely: Map<string, { readonly kind: PersonKind | undefined; readonly since: number }>;
  /** People of registrations that expired, and whose details are still there. */
  readonly toFree: Map<string, PersonKind>;
  readonly emails: Map<string, { readonly adminId: AdminId; readonly since: number }>;
};

/** How long a half is left to its own retry: a registration as long as its cookie is good for. */
export const leftAloneMilliseconds = REGISTRATION_LIFETIME_MS;

export const nothingUnfinished = (): Unfinished => ({
  position: 'start',
  known: 0,
  entries: new Map(),
  completed: new Set(),
  registrations: new Map(),
  lonely: new Map(),
  toFree: new Map(),
  emails: new Map(),
});

/** The facts that say something here; the many others are passed by before anything of them is looked at. */
const watched: ReadonlySet<string> = new Set<Fact['type']>([
  'TeamEnteredTournament',
  'TeamWithdrawnFromTournament',
  'TeamRegistered',
  'CoachAppointed',
  'PlayerAddedToTeam',
  'TeamDetailsCorrected',
  'TeamRegistrationCompleted',
  'TeamRegistrationExpired',
  'PersonDetailsRecorded',
  'PersonErased',
  'TournamentRequested',
  'AdminEmailClaimed',
  'AdminEmailReleased',
]);

/** What a kept fold is good for: the same facts, noted in the same way. */
export const unfinishedVersion = `4 ${[...watched].join(' ')}`;

/** Folds one event of the log. Of an erased event (without data) only the name of its stream is left: whose details they were. */
const noteUnfinished = (state: Unfinished, event: RecordedEvent): void => {
  state.position = event.position;
  if (!watched.has(event.type)) return;
  const since = Date.parse(event.time);
  if (!isLegible(event)) {
    const personId = personIdOf(event.stream);
    if (personId !== undefined && event.revision === 0) state.lonely.set(personId, { kind: undefined, since });
    return;
  }
  const fact = toFact(event);
  const belongs = (teamId: TeamId, personId: PersonId, kind: PersonKind): void => {
    state.lonely.delete(personId);
    state.registrations.get(teamId)?.people.set(personId, kind);
  };
  switch (fact.type) {
    case 'TeamEnteredTournament': {
      const { teamId, tournamentId } = fact.data;
      const { commandId, fingerprint, correlationId } = event.metadata;
      if (!state.completed.has(teamId)) state.entries.set(teamId, { teamId, tournamentId, commandId, fingerprint, correlationId });
      return;
    }
    case 'TeamWithdrawnFromTournament':
      if (state.entries.get(fact.data.teamId)?.tournamentId === fact.data.tournamentId) state.entries.delete(fact.data.teamId);
      return;
    case 'TeamRegistered':
      // What an admin registers has no capability that could run out.
      if (fact.data.capabilityHash !== null) state.registrations.set(fact.data.teamId, { since, people: new Map() });
      belongs(fact.data.teamId, fact.data.contactId, 'team-contact');
      return;
    case 'CoachAppointed':
      belongs(fact.data.teamId, fact.data.personId, 'coach');
      return;
    case 'PlayerAddedToTeam':
      belongs(fact.data.teamId, fact.data.playerId, 'player');
      return;
    case 'TeamDetailsCorrected':
      if (fact.data.changes.contactId !== undefined) belongs(fact.data.teamId, fact.data.changes.contactId, 'team-contact');
      return;
    case 'TeamRegistrationCompleted':
      state.completed.add(fact.data.teamId);
      state.entries.delete(fact.data.teamId);
      state.registrations.delete(fact.data.teamId);
      return;
    case 'TeamRegistrationExpired':
      for (const [personId, kind] of state.registrations.get(fact.data.teamId)?.people ?? []) state.toFree.set(personId, kind);
      state.registrations.delete(fact.data.teamId);
      return;
    case 'PersonDetailsRecorded':
      if (event.revision === 0) state.lonely.set(fact.data.personId, { kind: fact.data.kind, since });
      return;
    case 'PersonErased':
      state.lonely.delete(fact.data.personId);
      state.toFree.delete(fact.data.personId);
      for (const { people } of state.registrations.values()) people.delete(fact.data.personId);
      return;
    case 'TournamentRequested':
      state.lonely.delete(fact.data.requesterId);
      return;
    case 'AdminEmailClaimed':
      state.emails.set(event.stream, { adminId: fact.data.adminId, since });
      return;
    case 'AdminEmailReleased':
      state.emails.delete(event.stream);
      return;
    case 'AdminCreated':
    case 'AdminDetailsChanged':
    case 'AdminPasswordChanged':
    case 'DocumentViewed':
    case 'MatchAssigned':
    case 'MatchCancelled':
    case 'MatchMvpNamed':
    case 'MatchRescheduled':
    case 'PlayerJerseyNumberChanged':
    case 'PlayerParticipationRecorded':
    case 'SessionRevoked':
    case 'StatEntryReversed':
    case 'StatIncrementRecorded':
    case 'TournamentCreated':
    case 'TournamentDetailsChanged':
    case 'TournamentRequestClosed':
      return;
    default:
      fact satisfies never;
  }
};

/** What may be done about it; each is safe to repeat. */
export type Finishers = {
  readonly readAll: (after: After, limit: number) => Promise<readonly RecordedEvent[]>;
  readonly completeRegistration: (entry: OpenEntry) => Promise<void>;
  /**
   * Closes an abandoned registration; false when it was completed meanwhile. In a turn with the team's entries: it asks once more whether there is still none.
   */
  readonly expireRegistration: (teamId: TeamId, isStillAbandoned: () => Promise<boolean>) => Promise<boolean>;
  /** Kind of a person whose details are gone, from the read model; undefined when nothing is shown of them there. */
  readonly kindOf: (personId: PersonId) => PersonKind | undefined;
  /**
   * Erases a person that nothing refers to: details, documents, key. In a turn with the commands that name the person: it asks once more whether that is still
   * so; false when it is not.
   */
  readonly freePerson: (person: LonelyPerson, isStillAlone: () => Promise<boolean>) => Promise<boolean>;
  /** Whether the account still (or already) goes by the address of that stream. */
  readonly isEmailInUse: (held: HeldEmail) => Promise<boolean>;
  readonly releaseEmail: (held: HeldEmail) => Promise<void>;
  readonly now: () => number;
  /** Hears of what could not be done now; the next run tries again. */
  readonly failed: (error: unknown) => void;
  /** True once the server stops: a run ends at its next step. */
  readonly isStopping: () => boolean;
  /** Lets others have their turn between two pages. */
  readonly breathe: () => Promise<void>;
  /** Where the fold is kept over restarts; without it every start reads the whole log. */
  readonly kept?: KeptFold<Unfinished>;
};

export type Finished = { readonly entries: number; readonly registrations: number; readonly persons: number; readonly emails: number };

const pageSize = 500;

/**
 * Finishes what a crash left half (architecture, 'Streams and facts'): entries whose team is not complete at once; after 24 h abandoned registrations, persons
 * that nothing refers to, and e-mail claims that no account uses. Without a kept fold the first run reads the whole log, the next ones what is new. Runs do not
 * overlap.
 */
export const createHalfFinished = (finishers: Finishers): { run(): Promise<Finished> } => {
  let state = nothingUnfinished();
  let running: Promise<Finished> | undefined;
  /** Streams with a fact that this release cannot read. What it says is not known: it may be what somebody is waited for. */
  const unreadable = new Set<string>();
  let isLoaded = false;
  /** The last event folded since the fold was kept. */
  let last: RecordedEvent | undefined;

  const load = async (): Promise<void> => {
    if (isLoaded) return;
    const kept = await finishers.kept?.load();
    if (finishers.kept !== undefined) state.known = finishers.now();
    state = kept?.state ?? state;
    isLoaded = true;
  };
  const keep = (): void => {
    // Another release must read it again.
    if (last === undefined || unreadable.size > 0) return;
    try {
      finishers.kept?.save(last, state);
      last = undefined;
    } catch (error) {
      finishers.failed(error);
    }
  };

  const catchUp = async (): Promise<void> => {
    for (let pages = 1; ; pages += 1) {
      const events = await finishers.readAll(state.position, pageSize);
      for (const event of events) {
        try {
          // What a newer release records may refer to anybody.
          expectReadable(event);
          noteUnfinished(state, event);
        } catch (error) {
          state.position = event.position;
          unreadable.add(event.stream);
          finishers.failed(new EventNotRead(event, error));
        }
      }
      // By a fact that nobody else removes the log is known again.
      last = events.findLast((event) => !isOfAnotherProgram(event)) ?? last;
      if (events.length < pageSize || finishers.isStopping()) return;
      if (pages % pagesUntilKept === 0) keep();
      await finishers.breathe();
    }
  };

  /**
   * Whether an entry may stand in what cannot be read: of a tournament, or of what this release does not know. What cannot be read of a team, its own command
   * meets.
   */
  const mayHideEntry = (): boolean => [...unreadable].some((stream) => !/^(?:team|person|match|admin|audit)-/.test(stream));

  const isLeftAlone = ({ since }: { readonly since: number }): boolean => finishers.now() - Math.max(since, state.known) >= leftAloneMilliseconds;

  const attempt = async (step: () => Promise<boolean>): Promise<number> => {
    if (finishers.isStopping()) return 0;
    try {
      return (await step()) ? 1 : 0;
    } catch (error) {
      finishers.failed(error);
      return 0;
    }
  };

  const finish = async (): Promise<Finished> => {
    await load();
    await catchUp();
    // Stopped while reading: what is half on an earlier page may be whole on a later one. `attempt` does nothing then.
    const done = { entries: 0, registrations: 0, persons: 0, emails: 0 };
    // Housekeeping is in no hurry and takes no more than one place at a time.
    for (const entry of state.entries.values()) {
      done.entries += await attempt(async () => {
        await finishers.completeRegistration(entry);
        return true;
      });
    }
    for (const [teamId, registration] of state.registrations) {
      if (!isLeftAlone(registration) || state.entries.has(teamId) || mayHideEntry()) continue;
      done.registrations += await attempt(async () =>
        finishers.expireRegistration(teamId, async () => {
          await catchUp();
          return state.registrations.has(teamId) && !state.entries.has(teamId) && !mayHideEntry();
        }),
      );
    }
    await catchUp();
    const lonely = [...state.lonely]
      .filter(([, person]) => isLeftAlone(person))
      .flatMap(([personId, { kind = finishers.kindOf(personId) }]): LonelyPerson[] =>
        kind === undefined ? [] : [{ personId, kind, reason: 'Left alone by an unfinished command' }],
      );
    const abandoned = [...state.toFree].map(([personId, kind]): LonelyPerson => ({ personId, kind, reason: 'The registration was abandoned' }));
    for (const person of unreadable.size > 0 ? [] : [...lonely, ...abandoned]) {
      done.persons += await attempt(async () =>
        finishers.freePerson(person, async () => {
          await catchUp();
          return unreadable.size === 0 && (state.lonely.has(person.personId) || state.toFree.has(person.personId));
        }),
      );
    }
    for (const [stream, email] of state.emails) {
      if (!isLeftAlone(email)) continue;
      const held = { stream, adminId: email.adminId };
      done.emails += await attempt(async () => {
        await catchUp();
        if (unreadable.size > 0) return false;
        if (await finishers.isEmailInUse(held)) return false;
        await finishers.releaseEmail(held);
        return true;
      });
    }
    await catchUp();
    keep();
    return done;
  };

  return {
    async run() {
      running ??= finish();
      try {
        return await running;
      } finally {
        running = undefined;
      }
    },
  };
};
